package dev.heddle.worker;

/** Where a {@link Workforce} shows its workers to the pool that has jobs for them. */
public interface Floor {

    /** The worker is new, takes work now, takes none any more, or is gone: look at its state. */
    void changed(Worker worker);

    /** How many clients' sessions the worker has. */
    int sessions(Worker worker);

    /** Tells whoever observes the pool. */
    void tell(WorkerEvent event);
}
