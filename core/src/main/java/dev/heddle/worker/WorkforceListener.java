package dev.heddle.worker;

/** The pool's side of a {@link Workforce}. Safe for use by many threads. */
public interface WorkforceListener {

    /** Tells the pool that a worker is new, or that its state or health changed. */
    void workerChanged(Worker worker);

    /** Returns how many sessions a worker has. */
    int sessionCount(Worker worker);

    /** Passes an event on to the observers of the pool. */
    void publish(WorkerEvent event);
}
