package dev.heddle.engine.support;

/** A part of the engine that works on its own thread while the node is open. */
public interface BackgroundService {

    /** Returns a short name for logs, thread names and readiness. */
    String name();

    /** Works until {@link #stop} is called. If it returns earlier or throws, it is restarted. */
    void run();

    /** Makes {@link #run} return soon. May be called from any thread, more than once, and before {@link #run}. */
    void stop();
}
