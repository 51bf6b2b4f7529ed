package dev.heddle.query;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that is closest to a misspelled one. */
public final class Spelling {

    private Spelling() {}

    /** Returns the candidate with the smallest edit distance, if it is close enough to be a typo. */
    public static Optional<String> closest(String word, Collection<String> candidates) {
        int limit = Math.max(1, word.length() / 3);
        record Scored(String candidate, int distance) {}
        return candidates.stream().map(candidate -> new Scored(candidate, distance(word, candidate)))
                .filter(scored -> scored.distance <= limit)
                .min(Comparator.comparingInt(Scored::distance).thenComparing(Scored::candidate)).map(Scored::candidate);
    }

    /** Counts insertions, deletions, substitutions and swaps of neighbors. Ignores case. */
    public static int distance(String from, String to) {
        String a = from.toLowerCase(Locale.ROOT);
        String b = to.toLowerCase(Locale.ROOT);
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(a, b, i, j, cost);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(String a, String b, int i, int j, int[][] cost) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + (same ? 0 : 1));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
