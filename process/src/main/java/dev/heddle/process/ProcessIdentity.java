package dev.heddle.process;

/**
 * Identifies one process. A pid alone does not, because the kernel reuses it.
 *
 * @param pid the process id
 * @param startTicks when the process started: on Linux in clock ticks since boot, elsewhere in milliseconds since 1970;
 *     0 if the process ended before its start could be read, which matches no process
 * @param bootId the boot of the machine in which pid and ticks are valid; empty if unknown
 */
public record ProcessIdentity(long pid, long startTicks, String bootId) {}
