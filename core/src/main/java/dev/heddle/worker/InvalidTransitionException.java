package dev.heddle.worker;

import dev.heddle.job.HeddleException;

/** Thrown if a worker cannot change to a state from the one it is in. A bug in the caller. */
public final class InvalidTransitionException extends HeddleException {

    InvalidTransitionException(String worker, WorkerState from, WorkerState to, TransitionReason reason) {
        super("worker " + worker + " cannot go from " + from + " to " + to + " (" + reason + ")");
    }
}
