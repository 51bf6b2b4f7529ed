package dev.heddle.env;

import java.time.Duration;
import java.time.InstantSource;

/**
 * A clock that moves only when told to, for tests. It notifies threads that wait for a time. The time of day can also
 * be set: then {@link #instant} changes, and {@link #elapsed} does not.
 */
public interface SteerableClock extends InstantSource {

    /** Returns how much time has passed. See {@link Environment#elapsed}. */
    Duration elapsed();

    /** Calls the listener after every move, and when the time of day is set. Listeners cannot be removed. */
    void onJump(Runnable listener);
}
