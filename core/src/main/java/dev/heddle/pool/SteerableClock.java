package dev.heddle.pool;

import java.time.InstantSource;

/** A clock that does not run by itself, as tests use it: it tells sleepers when it was moved. */
public interface SteerableClock extends InstantSource {

    /** Calls the listener after every move, for good. */
    void onJump(Runnable listener);
}
