package dev.heddle.examples.imports;

import java.util.List;

/**
 * A file of sales.
 *
 * @param lines each a product and what it was sold for, such as {@code "tea;450"}
 */
record Sales(String file, List<String> lines) {

    /** Some of the lines, as they are parsed together. */
    record Part(List<String> lines) {}

    /** What was sold in one part, or in all. */
    record Total(int lines, long cents) {

        Total plus(Total other) {
            return new Total(lines + other.lines, cents + other.cents);
        }
    }

    /** @param rejected why parts could not be read; their lines are not in the total */
    record Report(Total total, List<String> rejected) {}
}
