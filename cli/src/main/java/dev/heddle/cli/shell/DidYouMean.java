package dev.heddle.cli.shell;

import java.util.Collection;
import java.util.Optional;

import dev.heddle.query.Spelling;

/** Suggests the known word closest to a misspelled one. */
public final class DidYouMean {

    private DidYouMean() {}

    /** Returns the candidate with the smallest edit distance, if it is close enough to be a typo. */
    public static Optional<String> closest(String word, Collection<String> candidates) {
        return Spelling.closest(word, candidates);
    }

    /** Returns "; did you mean 'x'?", or the fallback if no candidate is close. */
    public static String hint(String word, Collection<String> candidates, String fallback) {
        return closest(word, candidates).map(candidate -> "; did you mean '" + candidate + "'?").orElse(fallback);
    }

    /** Counts insertions, deletions, substitutions and swaps of neighbors. Ignores case. */
    static int distance(String from, String to) {
        return Spelling.distance(from, to);
    }
}
