package dev.heddle.cli.command;

import java.time.DateTimeException;
import java.time.Instant;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts option values such as {@code 2030-01-31T08:00:00Z} to instants. */
final class InstantConverter implements ITypeConverter<Instant> {

    @Override
    public Instant convert(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not a time; use ISO 8601, such as 2030-01-31T08:00:00Z");
        }
    }
}
