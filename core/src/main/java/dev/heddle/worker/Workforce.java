package dev.heddle.worker;

import java.util.List;

/**
 * Creates, watches and replaces the workers of a group: threads of this JVM, or processes, which take time to start,
 * can become unhealthy, and can exit at any time. The pool gives jobs to each worker that
 * {@link Worker#takesWork() takes work}, one at a time. Must be safe for use by many threads.
 */
public interface Workforce {

    /**
     * Starts to create workers, and returns without waiting for them.
     *
     * @param listener hears of every worker
     * @param prefix what the ids of the workers have to start with, to be unique among all nodes
     * @param count how many workers there should be
     */
    void open(WorkforceListener listener, String prefix, int count);

    /** Changes how many workers there should be. */
    void resize(int count);

    /**
     * Returns the last worker of each place that has none now; its facts say when the next one starts. The default is
     * none.
     */
    default List<Worker> awaitingReplacement() {
        return List.of();
    }

    /** Adds one worker, which may still have to start. */
    Worker addWorker();

    /** Removes a worker that is {@link Worker#retire() retiring}, once it has ended the job it may still run. */
    void removeWorker(Worker worker);

    /** Called when a worker has ended a job, on the worker's thread, so be quick. */
    void jobEnded(Worker worker);

    /** Called when a worker's job was given up while its thread still runs: the worker has to be replaced. */
    void abandon(Worker worker);

    /** Called when a session that a worker kept has ended. The default does nothing. */
    default void sessionEnded(Worker worker, String session, String reason) {}

    /**
     * Ends all workers, those that run a job once it has ended. Returns at once; the listener hears when they are gone.
     */
    void close();
}
