package dev.heddle.engine.commit;

/** Records the ends of attempts for statistics. */
public interface AttemptRecorder {

    /** Runs after an end is committed, on the ledger's thread or the worker's. Must not wait for anything. */
    void ended(AttemptEnd end);
}
