/**
 * The API that an application calls. Start with {@link dev.heddle.pool.Pool}.
 *
 * <p>Everything here is public API: the pool and its builder, handles on jobs, the administrator's view, the callbacks
 * an application can register, reports, and exceptions. The engine behind it lives in {@code dev.heddle.engine} and is
 * not API.
 */
@NullMarked
package dev.heddle.pool;

import org.jspecify.annotations.NullMarked;
