package dev.heddle.engine.execute;

/** Why an attempt was told to stop. Decides the outcome of the attempt. */
public enum StopCause {
    TIMEOUT, STALL, CANCEL, CLOSING, LAPSED, LOST, EXIT
}
