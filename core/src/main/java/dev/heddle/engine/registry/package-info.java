/**
 * Knows the job types that this node can run, and whether their jobs may start now. Internal, not API.
 *
 * <p>Start with {@link dev.heddle.engine.registry.HandlerRegistry}.
 */
@NullMarked
package dev.heddle.engine.registry;

import org.jspecify.annotations.NullMarked;
