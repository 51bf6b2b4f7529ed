package dev.heddle.engine.log;

import java.util.List;

import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.log.JobLog;
import dev.heddle.log.LogStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LocationAwareLogger;
import org.slf4j.spi.LoggingEventAware;

/**
 * The logger of a handler: writes to the log of its job and to the logger of the application. The job's log gets
 * everything from level INFO up, and lower levels if the application's logger has them.
 */
public final class JobLogger extends LegacyAbstractLogger implements LoggingEventAware {

    private static final long serialVersionUID = 1;
    private static final String CALLER = JobLogger.class.getName();

    private final transient JobLog log;
    private final transient Logger application;

    /**
     * Creates a logger.
     *
     * @param application the logger of the application
     */
    public JobLogger(JobLog log, Logger application) {
        this.name = application.getName();
        this.log = log;
        this.application = application;
    }

    @Override
    public boolean isTraceEnabled() {
        return application.isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled() {
        return application.isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
        return true;
    }

    @Override
    public boolean isWarnEnabled() {
        return true;
    }

    @Override
    public boolean isErrorEnabled() {
        return true;
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return CALLER;
    }

    @Override
    protected void handleNormalizedLoggingCall(Level level, @Nullable Marker marker, @Nullable String message,
            @Nullable Object @Nullable [] arguments, @Nullable Throwable thrown) {
        add(level, "", message, arguments, thrown);
        if (!application.isEnabledForLevel(level)) {
            return;
        }
        if (application instanceof LocationAwareLogger aware) {
            aware.log(marker, CALLER, level.toInt(), message, arguments, thrown);
        } else {
            application.makeLoggingEventBuilder(level).setCause(thrown).log(message, arguments);
        }
    }

    @Override
    public void log(LoggingEvent event) {
        StringBuilder fields = new StringBuilder();
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> fields.append(MessageFormatter.format("{}={} ", pair.key, pair.value).getMessage()));
        }
        add(event.getLevel(), fields.toString(), event.getMessage(), event.getArgumentArray(), event.getThrowable());
        if (application.isEnabledForLevel(event.getLevel())) {
            forward(event, fields.toString());
        }
    }

    private void forward(LoggingEvent event, String fields) {
        if (application instanceof LoggingEventAware aware) {
            aware.log(event);
        } else {
            application.makeLoggingEventBuilder(event.getLevel()).setCause(event.getThrowable())
                    .log(fields + event.getMessage(), event.getArgumentArray());
        }
    }

    private void add(Level level, String fields, @Nullable String message, @Nullable Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        // Survives arguments whose toString fails.
        String text = fields + MessageFormatter.basicArrayFormat(message, arguments);
        log.add(level, LogStream.LOG, thrown == null ? text : text + "\n" + trace(thrown));
    }

    private static String trace(Throwable thrown) {
        Failure failure = Failure.of(FailureCategory.TRANSIENT, thrown);
        return failure.details() == null ? failure.message() : failure.details().stripTrailing();
    }
}
