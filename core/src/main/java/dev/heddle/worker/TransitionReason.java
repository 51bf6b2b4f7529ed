package dev.heddle.worker;

/** Why a worker changed its state. */
public enum TransitionReason {
    INIT_COMPLETE, CHECKOUT, CHECKIN, HEALTH_CHECK_FAILED, HEALTH_CHECK_PASSED, SHUTDOWN, ERROR, TIMEOUT, PROCESS_EXIT
}
