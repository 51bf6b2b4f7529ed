package dev.heddle.job;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The children of a job. They are read from the store page by page as you ask for them, so there can be millions. */
public interface Children {

    /** Returns how many children are in each state; states without children are left out. */
    Map<JobState, Long> counts();

    /** Streams all children in the order in which they were spawned, without holding them all in memory. */
    Stream<Child> stream();

    /**
     * Streams the results of the children of one type that completed with a result, in the order in which they were
     * spawned.
     *
     * @param <R> the result of the type
     */
    default <R> Stream<R> results(JobType<?, R> type) {
        return stream().filter(child -> child.job().type().equals(type.name()))
                .flatMap(child -> child.result(type).stream());
    }

    /** One child. */
    interface Child {

        /** Returns the job as the store has it, with its failure if it failed. */
        Job job();

        /**
         * Returns what the handler returned; empty if the job has not completed or has no result.
         *
         * @param <R> the result of the type
         */
        <R> Optional<R> result(JobType<?, R> type);

        /** Returns the id. */
        default JobId id() {
            return job().id();
        }

        /** Returns the state. */
        default JobState state() {
            return job().state();
        }
    }
}
