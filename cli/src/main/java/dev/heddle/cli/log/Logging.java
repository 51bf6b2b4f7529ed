package dev.heddle.cli.log;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.heddle.cli.shell.LogFormat;
import dev.heddle.cli.shell.Terminal;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Configures logging in code, because reading a configuration file takes longer than most commands. Commands log
 * warnings, or the level of {@code HEDDLE_LOG}, to standard error. A node logs at the configured level, also to files
 * in its home.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class Logging extends ContextAwareBase implements Configurator {

    private static final int FILE_SIZE = 10 << 20;
    private static final int OLD_FILES = 4;

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setTarget("System.err");
        attach(console, context, new LineLayout("HH:mm:ss", Terminal.of(System.getenv(), false).errColor()));
        root(context).setLevel(Level.toLevel(System.getenv("HEDDLE_LOG"), Level.WARN));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** The log files of a node; closing it restores the logging of a command. */
    public interface NodeLog extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Starts the logs of a node: {@code node.log} in the directory, with {@value #OLD_FILES} older files, and a
     * log per worker. What handlers log is also in the logs of their jobs.
     *
     * @param console how to log to standard error too; null for not at all
     */
    public static NodeLog openNodeLog(org.slf4j.event.Level level, Path directory, WorkerLog workerLog,
            @Nullable LogFormat console) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        RotatingAppender appender = rotating(context, directory.resolve("node.log"));
        WorkerLogAppender workers = new WorkerLogAppender(workerLog, file -> rotating(context, file));
        workers.setContext(context);
        workers.start();
        JobLogAppender jobs = new JobLogAppender();
        jobs.setContext(context);
        jobs.start();
        List<Appender<ILoggingEvent>> silenced = new ArrayList<>();
        ConsoleAppender<ILoggingEvent> json = new ConsoleAppender<>();
        if (console != LogFormat.TEXT) {
            root(context).iteratorForAppenders().forEachRemaining(silenced::add);
        }
        silenced.forEach(root(context)::detachAppender);
        if (console == LogFormat.JSON) {
            json.setTarget("System.err");
            attach(json, context, new JsonLayout());
        }
        root(context).addAppender(appender);
        root(context).addAppender(workers);
        root(context).addAppender(jobs);
        // The HTTP server logs details of interest only for debugging it.
        context.getLogger("io.javalin").setLevel(Level.WARN);
        context.getLogger("org.eclipse.jetty").setLevel(Level.WARN);
        Level before = root(context).getLevel();
        root(context).setLevel(Level.convertAnSLF4JLevel(level));
        return () -> {
            root(context).detachAppender(appender);
            root(context).detachAppender(workers);
            root(context).detachAppender(json);
            root(context).detachAppender(jobs);
            silenced.forEach(root(context)::addAppender);
            appender.stop();
            workers.stop();
            jobs.stop();
            root(context).setLevel(before);
        };
    }

    /** Finds the log file of a worker. */
    @FunctionalInterface
    public interface WorkerLog {
        /** Returns the log file of the worker with this id. */
        Path of(String worker);
    }

    private static RotatingAppender rotating(LoggerContext context, Path file) {
        RotatingAppender appender = new RotatingAppender(file, layout(context, "yyyy-MM-dd'T'HH:mm:ss.SSSXXX"),
                FILE_SIZE,
                OLD_FILES);
        appender.setContext(context);
        appender.start();
        return appender;
    }

    private static void attach(OutputStreamAppender<ILoggingEvent> appender, LoggerContext context,
            LayoutBase<ILoggingEvent> layout) {
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        layout.setContext(context);
        layout.start();
        encoder.setLayout(layout);
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.start();
        root(context).addAppender(appender);
    }

    private static LineLayout layout(LoggerContext context, String timePattern) {
        LineLayout layout = new LineLayout(timePattern, false);
        layout.setContext(context);
        layout.start();
        return layout;
    }

    private static Logger root(LoggerContext context) {
        return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }
}
