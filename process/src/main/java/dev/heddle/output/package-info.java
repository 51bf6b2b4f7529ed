/**
 * What an attempt's processes write: their output on disk, capped and followed while it grows, and the artifacts they are
 * to leave. {@link dev.heddle.output.RunFiles} says where everything is.
 */
@NullMarked
package dev.heddle.output;

import org.jspecify.annotations.NullMarked;
