package dev.heddle.cli.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import dev.heddle.cli.shell.DidYouMean;
import dev.heddle.log.LogStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts option values to streams of a job's log. Ignores case. */
final class LogStreamConverter implements ITypeConverter<LogStream> {

    @Override
    public LogStream convert(String text) {
        List<String> names = Arrays.stream(LogStream.values()).map(one -> one.name().toLowerCase(Locale.ROOT)).toList();
        String name = text.strip().toLowerCase(Locale.ROOT);
        if (!names.contains(name)) {
            throw new TypeConversionException("'" + text + "' is not a stream of a log"
                    + DidYouMean.hint(name, names, "; use " + String.join(", ", names)));
        }
        return LogStream.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
