package dev.heddle.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Adds what a handler logs through SLF4J to the log of its job. While a handler runs, the MDC of its thread has
 * {@code heddle.job}, {@code heddle.attempt}, {@code heddle.type} and {@code heddle.worker}. Call {@link #add} from an
 * appender of the logging framework; it finds the job by that MDC. A handler that copies the MDC to another thread has
 * that thread's lines in its log, too.
 */
public final class JobLogBridge {

    /** The key of the MDC for the id of the job. */
    public static final String JOB = "heddle.job";
    /** The key of the MDC for the number of the attempt. */
    public static final String ATTEMPT = "heddle.attempt";
    /** The first part of the names of loggers that {@link dev.heddle.job.JobContext#log} returns. */
    public static final String JOB_LOGGERS = "heddle.job.";

    private static final Map<String, JobLog> OPEN = new ConcurrentHashMap<>();

    private JobLogBridge() {}

    /**
     * Adds a line to the log of the job that an MDC names. Does nothing if this JVM does not run that attempt, or if the
     * logger belongs to a job: then the line is in its log already.
     *
     * @param mdc the MDC of the line
     * @param logger the name of the logger
     * @return whether the line belongs to a job
     */
    public static boolean add(Map<String, String> mdc, String logger, Level level, String text) {
        @Nullable String job = mdc.get(JOB);
        @Nullable JobLog log = job == null ? null : OPEN.get(job);
        if (log == null || !Integer.toString(log.attempt()).equals(mdc.get(ATTEMPT))) {
            return false;
        }
        if (!logger.startsWith(JOB_LOGGERS)) {
            log.add(level, LogStream.LOG, text);
        }
        return true;
    }

    /** Brings in the lines of a job from now on. The engine calls this. */
    public static void open(String job, JobLog log) {
        OPEN.put(job, log);
    }

    /** Ends that. */
    public static void close(String job, JobLog log) {
        OPEN.remove(job, log);
    }
}
