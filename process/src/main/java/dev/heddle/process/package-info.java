/**
 * Operating system processes of which none is ever left behind. {@link dev.heddle.process.Processes} is the door:
 * it starts them, each in its own session and, where the kernel allows it, in its own PID namespace; ends them with
 * everything they started; and, on opening, ends what a killed node could not. {@link dev.heddle.process.Platform}
 * is the one seam between operating systems.
 */
@NullMarked
package dev.heddle.process;

import org.jspecify.annotations.NullMarked;
