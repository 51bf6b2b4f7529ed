package dev.heddle.cli.log;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import dev.heddle.cli.shell.JsonLine;
import dev.heddle.output.SafeText;

/** Formats an event as one line of JSON: time, level, message, logger and fields, and the stack trace if there is one. */
final class JsonLayout extends LayoutBase<ILoggingEvent> {

    @Override
    public String doLayout(ILoggingEvent event) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("logger", event.getLoggerName());
        LineLayout.fields(event).forEach(fields::putIfAbsent);
        if (event.getThrowableProxy() != null) {
            fields.put("exception", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return SafeText.json(JsonLine.of(Instant.ofEpochMilli(event.getTimeStamp()), event.getLevel().toString(),
                event.getFormattedMessage(), fields)) + System.lineSeparator();
    }
}
