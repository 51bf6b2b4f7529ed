package dev.heddle.log;

/** Where a line of a job's log comes from. */
public enum LogStream {
    /** The handler logged it. */
    LOG,
    /** A process of the job wrote it to its standard output. */
    STDOUT,
    /** A process of the job wrote it to its standard error. */
    STDERR,
    /** It says what happened to the job, such as the start of an attempt. Made when it is read, not stored. */
    EVENT
}
