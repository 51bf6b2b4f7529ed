/**
 * Turns a request into a committed row. Internal, not API.
 *
 * <p>{@link dev.heddle.engine.submit.Intake} checks a request, encodes its payload as JSON, and commits it together
 * with the requests of other threads through {@link dev.heddle.engine.submit.GroupCommit}. When it returns, the job is
 * on disk.
 */
@NullMarked
package dev.heddle.engine.submit;

import org.jspecify.annotations.NullMarked;
