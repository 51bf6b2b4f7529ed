package dev.heddle.cli.log;

import java.nio.file.Path;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.FileSize;
import org.slf4j.LoggerFactory;

/**
 * Logging without a configuration file, whose reading would take longer than most commands. Commands log warnings to
 * standard error, or what {@code HEDDLE_LOG} says; a node logs what its configuration says, there and into its home.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class Logging extends ContextAwareBase implements Configurator {

    private static final String FILE_SIZE = "10MB";
    private static final int OLD_FILES = 4;

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setTarget("System.err");
        attach(console, context, "HH:mm:ss");
        root(context).setLevel(Level.toLevel(System.getenv("HEDDLE_LOG"), Level.WARN));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Where a node's log goes, until it is closed. */
    public interface NodeLog extends AutoCloseable {
        @Override
        void close();
    }

    /** Logs of a node: at its level, and kept in the directory, in {@value #OLD_FILES} old files and a current one. */
    public static NodeLog ofNode(org.slf4j.event.Level level, Path directory) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        String file = directory.resolve("node.log").toString();
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setFile(file);
        FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
        rolling.setContext(context);
        rolling.setParent(appender);
        rolling.setFileNamePattern(file + ".%i");
        rolling.setMinIndex(1);
        rolling.setMaxIndex(OLD_FILES);
        rolling.start();
        SizeBasedTriggeringPolicy<ILoggingEvent> trigger = new SizeBasedTriggeringPolicy<>();
        trigger.setContext(context);
        trigger.setMaxFileSize(FileSize.valueOf(FILE_SIZE));
        trigger.start();
        appender.setRollingPolicy(rolling);
        appender.setTriggeringPolicy(trigger);
        attach(appender, context, "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        // What the HTTP server has to say about itself is of use only to those who look for a fault in it.
        context.getLogger("io.javalin").setLevel(Level.WARN);
        context.getLogger("org.eclipse.jetty").setLevel(Level.WARN);
        Level before = root(context).getLevel();
        root(context).setLevel(Level.convertAnSLF4JLevel(level));
        return () -> {
            root(context).detachAppender(appender);
            appender.stop();
            root(context).setLevel(before);
        };
    }

    private static void attach(OutputStreamAppender<ILoggingEvent> appender, LoggerContext context,
            String timePattern) {
        LineLayout layout = new LineLayout(timePattern);
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(layout);
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.start();
        root(context).addAppender(appender);
    }

    private static Logger root(LoggerContext context) {
        return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }
}
