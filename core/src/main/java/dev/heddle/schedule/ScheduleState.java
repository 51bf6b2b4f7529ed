package dev.heddle.schedule;

/** Whether a schedule fires. */
public enum ScheduleState {
    /** It fires. */
    ACTIVE,
    /** It does not fire until it is resumed. */
    PAUSED,
    /** It has reached its end date or its number of runs, and does not fire any more. */
    ENDED
}
