package dev.heddle.cli.log;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import dev.heddle.cli.log.Logging.WorkerLog;
import org.jspecify.annotations.Nullable;

/**
 * Appends events about a worker to the log of that worker: those logged on its thread while it runs a job, and those
 * with a {@code worker} field. Replacements share a file, so the number of files stays bounded.
 */
final class WorkerLogAppender extends AppenderBase<ILoggingEvent> {

    private final WorkerLog where;
    private final Function<Path, Appender<ILoggingEvent>> open;
    private final Map<Path, Appender<ILoggingEvent>> logs = new ConcurrentHashMap<>();

    WorkerLogAppender(WorkerLog where, Function<Path, Appender<ILoggingEvent>> open) {
        this.where = where;
        this.open = open;
    }

    @Override
    protected void append(ILoggingEvent event) {
        String worker = worker(event);
        if (worker != null) {
            logs.computeIfAbsent(where.of(worker), open).doAppend(event);
        }
    }

    private static @Nullable String worker(ILoggingEvent event) {
        String running = event.getMDCPropertyMap().get("heddle.worker");
        if (running != null || event.getKeyValuePairs() == null) {
            return running;
        }
        return event.getKeyValuePairs().stream().filter(pair -> pair.key.equals("worker"))
                .map(pair -> String.valueOf(pair.value)).findFirst().orElse(null);
    }

    @Override
    public void stop() {
        super.stop();
        logs.values().forEach(Appender::stop);
        logs.clear();
    }
}
