package dev.heddle.worker;

/** A worker was told to go where its state does not lead: a bug in whoever told it. */
public final class InvalidTransitionException extends IllegalStateException {

    InvalidTransitionException(String worker, WorkerState from, WorkerState to, TransitionReason reason) {
        super("worker " + worker + " cannot go from " + from + " to " + to + " (" + reason + ")");
    }
}
