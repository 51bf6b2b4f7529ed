package dev.heddle.cli.shell;

import java.time.Duration;
import java.util.Objects;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a span of time such as {@code 90s}. */
public final class Span implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        try {
            return Spans.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(Objects.requireNonNullElse(e.getMessage(), text));
        }
    }
}
