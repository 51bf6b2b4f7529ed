package dev.heddle.cli.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import org.jspecify.annotations.Nullable;

/** Gives each worker what is logged about it: on its own thread while it runs a job, or by others who name it. */
final class WorkerLogs extends AppenderBase<ILoggingEvent> {

    private final Function<String, Appender<ILoggingEvent>> open;
    private final Map<String, Appender<ILoggingEvent>> logs = new ConcurrentHashMap<>();

    WorkerLogs(Function<String, Appender<ILoggingEvent>> open) {
        this.open = open;
    }

    @Override
    protected void append(ILoggingEvent event) {
        String worker = worker(event);
        if (worker != null) {
            logs.computeIfAbsent(worker, open).doAppend(event);
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
