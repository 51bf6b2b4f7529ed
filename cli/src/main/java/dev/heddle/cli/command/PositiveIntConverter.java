package dev.heddle.cli.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts option values to whole numbers of at least 1. */
final class PositiveIntConverter implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is too small.
        }
        throw new TypeConversionException(text.matches("\\d{10,}")
                ? "'" + text + "' is too large; use at most " + Integer.MAX_VALUE
                : "'" + text + "' is not a whole number of at least 1");
    }
}
