package dev.heddle.cli.command;

import java.util.List;
import java.util.Locale;

import dev.heddle.cli.shell.DidYouMean;
import org.slf4j.event.Level;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts option values to levels of a job's log. Ignores case. */
final class LogLevelConverter implements ITypeConverter<Level> {

    private static final List<String> NAMES = List.of("trace", "debug", "info", "warn", "error");

    @Override
    public Level convert(String text) {
        String name = text.strip().toLowerCase(Locale.ROOT);
        if (!NAMES.contains(name)) {
            throw new TypeConversionException("'" + text + "' is not a log level"
                    + DidYouMean.hint(name, NAMES, "; use " + String.join(", ", NAMES)));
        }
        return Level.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
