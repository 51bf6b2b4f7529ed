package dev.heddle.job;

import org.jspecify.annotations.Nullable;

/** How an attempt ended, as a value. {@link Transitions} decides what that does to the job. */
public sealed interface Outcome {

    /** The handler returned; the result is JSON, or null where it returned nothing. */
    record Completed(@Nullable String result) implements Outcome {}

    /** The first phase is over; so many children are to be stored. */
    record Ingested(int children) implements Outcome {}

    record Failed(Failure failure) implements Outcome {}

    /** Over its time, or silent for too long. A failure that may pass. */
    record TimedOut(Failure failure) implements Outcome {}

    record Cancelled(String reason) implements Outcome {}

    /** Given up unfinished by no fault of the job: closing, lost lease, breaker open. */
    record Released(String reason) implements Outcome {}
}
