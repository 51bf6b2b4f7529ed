package dev.heddle.env;

import java.time.InstantSource;

/** A clock that moves only when told to, for tests. It notifies threads that sleep until a time of day. */
public interface SteerableClock extends InstantSource {

    /** Calls the listener after every move. Listeners cannot be removed. */
    void onJump(Runnable listener);
}
