/**
 * Long-lived workers in any language. {@link dev.heddle.external.External} is the door: it binds a job type to a command
 * whose processes are started ahead of need, asked whether they are well, and replaced when they are not. What is said
 * between Heddle and a worker is in {@code docs/worker-protocol.md}; {@link dev.heddle.external.ConformanceCheck} tells
 * the author of a worker what it does wrong.
 */
@NullMarked
package dev.heddle.external;

import org.jspecify.annotations.NullMarked;
