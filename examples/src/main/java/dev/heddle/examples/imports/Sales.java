package dev.heddle.examples.imports;

import java.util.List;

/**
 * A file of sales.
 *
 * @param lines one sale per line: the product and its price in cents, such as {@code "tea;450"}
 */
record Sales(String file, List<String> lines) {

    /** The lines that one child job parses. */
    record Part(List<String> lines) {}

    /** The number of sales and their sum, of one part or of the whole file. */
    record Total(int lines, long cents) {

        Total plus(Total other) {
            return new Total(lines + other.lines, cents + other.cents);
        }
    }

    /** @param rejected why parts could not be parsed; the total does not include their lines */
    record Report(Total total, List<String> rejected) {}
}
