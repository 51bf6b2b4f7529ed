package dev.heddle.cli.shell;

import java.time.Duration;
import java.util.Objects;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts option values such as {@code 90s} to durations. */
public final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(Objects.requireNonNullElse(e.getMessage(), text));
        }
    }
}
