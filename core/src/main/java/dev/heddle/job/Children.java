package dev.heddle.job;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What became of the children of a job. Read from the store as they are asked for, some at a time. */
public interface Children {

    /** How many there are in each state; states that none is in are left out. */
    Map<JobState, Long> counts();

    /** All of them in the order in which they were spawned, however many there are: never all in memory. */
    Stream<Child> stream();

    /** The results of those of this type that completed with one, in the order in which they were spawned. */
    default <R> Stream<R> results(JobType<?, R> type) {
        return stream().filter(child -> child.job().type().equals(type.name()))
                .flatMap(child -> child.result(type).stream());
    }

    /** One child. */
    interface Child {

        /** As the store has it, with its failure where it failed. */
        Job job();

        /** What its handler returned; empty where it did not complete, or returned nothing. */
        <R> Optional<R> result(JobType<?, R> type);

        default JobId id() {
            return job().id();
        }

        default JobState state() {
            return job().state();
        }
    }
}
