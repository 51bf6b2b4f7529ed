package dev.heddle.search;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What counts as a word in every {@link TextIndex}. */
final class Words {

    private static final Pattern SEPARATOR = Pattern.compile("[^\\p{L}\\p{N}]+");
    private static final int MAX_LENGTH = 100;

    private Words() {}

    static List<String> of(String text) {
        return SEPARATOR.splitAsStream(text.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty() && word.length() <= MAX_LENGTH).distinct().toList();
    }
}
