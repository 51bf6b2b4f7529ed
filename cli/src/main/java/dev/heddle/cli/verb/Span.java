package dev.heddle.cli.verb;

import java.time.Duration;
import java.util.Objects;

import dev.heddle.cli.shell.Spans;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a span of time such as {@code 90s}. */
final class Span implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        try {
            return Spans.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(Objects.requireNonNullElse(e.getMessage(), text));
        }
    }
}
