package dev.heddle.worker;

import java.util.List;

/**
 * The workers of a group where they are more than threads of this JVM: they take time to start, fall ill, and end by
 * themselves. Whoever implements this makes them, watches them and replaces them; the pool gives them jobs, one at a
 * time, as long as they {@link Worker#takesWork() take work}.
 */
public interface Workforce {

    /**
     * Starts making workers, ahead of the first job, and returns without waiting for them.
     *
     * @param prefix what the ids of its workers begin with, so that they are unique among all nodes
     * @param count how many there should be
     */
    void open(Floor floor, String prefix, int count);

    /** Changes how many there should be. */
    void resize(int count);

    /** Whoever was the last in each place that has nobody now; their facts say when another one is to start there. */
    default List<Worker> missed() {
        return List.of();
    }

    /** One worker more. It may still have to start. */
    Worker grow();

    /** One worker fewer: this one, which {@link Worker#leave() leaves} and may still have a job to end. */
    void dismiss(Worker worker);

    /** A worker has ended a job. Called on the worker's thread: be quick. */
    void rested(Worker worker);

    /** A worker's job was given up and its thread does not return: the worker must go. */
    void abandon(Worker worker);

    /** A worker need not keep a client's session any more. */
    default void sessionEnded(Worker worker, String session, String reason) {}

    /** Ends all workers, those that run a job once it is over. Returns at once; the floor hears when they are gone. */
    void close();
}
