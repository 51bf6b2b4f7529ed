package dev.heddle.store;

import dev.heddle.env.Environment;

/**
 * A store that has no clock of its own, because it is part of a process, and goes by the clock of its node. If that
 * clock is set, the store moves the due times of jobs that wait for some time to pass (a delay, a retry) by as much,
 * and tells its listener. Times of day, as in a {@code runAt}, are never moved.
 *
 * <p>Other stores go by the clock of their server, whatever the clocks of the nodes show.
 */
public interface ClockedStore {

    /** Goes by the clock of this environment from now on. Before that, it goes by the clock of the machine. */
    void useClock(Environment env);
}
