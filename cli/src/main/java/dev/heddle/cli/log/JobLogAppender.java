package dev.heddle.cli.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.heddle.log.JobLogBridge;
import org.slf4j.event.Level;

/** Adds what is logged on the thread of a handler to the log of its job. */
final class JobLogAppender extends AppenderBase<ILoggingEvent> {

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getMDCPropertyMap().containsKey(JobLogBridge.JOB)) {
            JobLogBridge.add(event.getMDCPropertyMap(), event.getLoggerName(),
                    Level.valueOf(event.getLevel().toString()),
                    text(event));
        }
    }

    private static String text(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        return thrown == null ? event.getFormattedMessage()
                : event.getFormattedMessage() + "\n" + ThrowableProxyUtil.asString(thrown).stripTrailing();
    }
}
