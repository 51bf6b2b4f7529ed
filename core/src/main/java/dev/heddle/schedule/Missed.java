package dev.heddle.schedule;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.job.Limits;

/**
 * What to do about runs that are over {@link #LATE_SECONDS} seconds late because no node was there to start them. What a
 * paused schedule leaves out is not missed.
 */
public sealed interface Missed {

    /** A run that is later than this was missed. */
    int LATE_SECONDS = 60;

    /** Leaves missed runs out. */
    record Skip() implements Missed {
        @Override
        public String toString() {
            return "skip";
        }
    }

    /** Makes one run for all missed ones. The default. */
    record Coalesce() implements Missed {
        @Override
        public String toString() {
            return "coalesce";
        }
    }

    /**
     * Makes the last missed runs, each as a job of its own, whether or not an earlier run has ended. Older ones are left
     * out.
     *
     * @param most how many runs at most, from 1 to {@value #MOST}
     */
    record CatchUp(int most) implements Missed {

        /** The most runs that are made up for. */
        public static final int MOST = 10_000;

        private static final Pattern TEXT = Pattern.compile("catchup\\((\\d{1,9})\\)");

        /** Checks the number. */
        public CatchUp {
            Limits.between(1, MOST, "catchUp", most);
        }

        @Override
        public String toString() {
            return "catchUp(" + most + ")";
        }
    }

    /** Returns {@link Skip}. */
    static Missed skip() {
        return new Skip();
    }

    /** Returns {@link Coalesce}. */
    static Missed coalesce() {
        return new Coalesce();
    }

    /** Returns {@link CatchUp}. */
    static Missed catchUp(int most) {
        return new CatchUp(most);
    }

    /**
     * Parses {@code skip}, {@code coalesce} or {@code catchUp(n)}.
     *
     * @throws IllegalArgumentException if the text is none of them
     */
    static Missed parse(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        Matcher catchUp = CatchUp.TEXT.matcher(lower);
        if (catchUp.matches()) {
            return new CatchUp(Integer.parseInt(catchUp.group(1)));
        }
        return switch (lower) {
            case "skip" -> new Skip();
            case "coalesce" -> new Coalesce();
            default -> throw new IllegalArgumentException("unknown policy for missed runs '" + Limits.quoted(text)
                    + "'; expected skip, coalesce or catchUp(n)");
        };
    }
}
