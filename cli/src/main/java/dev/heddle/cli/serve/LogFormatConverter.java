package dev.heddle.cli.serve;

import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.shell.DidYouMean;
import dev.heddle.cli.shell.LogFormat;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts option values to formats of the log. */
final class LogFormatConverter implements ITypeConverter<LogFormat> {

    private static final List<String> NAMES = List.of("text", "json");

    static final class Names extends ArrayList<String> {
        Names() {
            super(NAMES);
        }
    }

    @Override
    public LogFormat convert(String text) {
        for (LogFormat format : LogFormat.values()) {
            if (format.name().equalsIgnoreCase(text)) {
                return format;
            }
        }
        throw new TypeConversionException(
                "'" + text + "' is not a log format" + DidYouMean.hint(text, NAMES, "; use text or json"));
    }
}
