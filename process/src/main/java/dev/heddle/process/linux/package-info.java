/**
 * Reads and signals processes on Linux; internal to this module. Start with {@link dev.heddle.process.linux.ProcTable},
 * which reads {@code /proc}, and {@link dev.heddle.process.linux.Posix}, which makes all native calls.
 */
@NullMarked
package dev.heddle.process.linux;

import org.jspecify.annotations.NullMarked;
