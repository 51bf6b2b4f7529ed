package dev.heddle.cli.verb;

import java.time.DateTimeException;
import java.time.Instant;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time such as {@code 2030-01-31T08:00:00Z}. */
final class Time implements ITypeConverter<Instant> {

    @Override
    public Instant convert(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not a time; write one such as 2030-01-31T08:00:00Z");
        }
    }
}
