package dev.heddle.process;

/**
 * Which process this is. A pid alone is no proof: it is given to another process once its owner is gone.
 *
 * @param pid its number
 * @param startTicks when it started, in clock ticks since the machine did (elsewhere than on Linux: milliseconds since
 * 1970); 0 where it was gone before anybody could look, which matches no process
 * @param bootId the run of the machine that the two count in; empty where it cannot be told
 */
public record ProcessIdentity(long pid, long startTicks, String bootId) {}
