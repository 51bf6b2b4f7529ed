package dev.heddle.examples.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.heddle.log.JobLogBridge;
import org.slf4j.event.Level;

/** An appender for Logback: adds what is logged on the thread of a handler to the log of its job. */
public final class JobLogAppender extends AppenderBase<ILoggingEvent> {

    @Override
    protected void append(ILoggingEvent event) {
        JobLogBridge.add(event.getMDCPropertyMap(), event.getLoggerName(),
                Level.valueOf(event.getLevel().toString()), event.getFormattedMessage());
    }
}
