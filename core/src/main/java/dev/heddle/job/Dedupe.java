package dev.heddle.job;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * What a submit does if its dedupe key is in use. Pass one to {@link JobRequest#dedupeKey(String, Dedupe)}.
 *
 * <p>A job is <i>unclaimed</i> while it waits to run: no node holds it, and no part of it has been done that would have
 * to be undone. Each mode but {@link #whileActive} remembers the id of a key's last submission, so a submit that is
 * repeated with the same id changes nothing.
 */
public sealed interface Dedupe {

    /** A job that has not ended keeps its key; a submit returns that job. */
    record WhileActive() implements Dedupe {
        @Override
        public String toString() {
            return "while active";
        }
    }

    /**
     * A submit returns the job of the key, even if it has ended, until the key was not used for a time.
     *
     * @param time how long a key is remembered after the last submit that named it, by the clock of the store
     */
    record Within(Duration time) implements Dedupe {

        /** Checks the time. Stores keep milliseconds. */
        public Within {
            time = Limits.positive("within", time).truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public String toString() {
            return "within " + units(time);
        }
    }

    /** An unclaimed job takes the payload and the options of the submit. */
    record Replace() implements Dedupe {
        @Override
        public String toString() {
            return "replace";
        }
    }

    /**
     * As {@link Replace}, and every submit postpones the start.
     *
     * @param delay how long after the last submit the job starts
     * @param max how long after the first submit it starts at the latest
     */
    record Debounce(Duration delay, Duration max) implements Dedupe {

        /** Checks the durations. Stores keep milliseconds. */
        public Debounce {
            delay = Limits.positive("debounce", delay).truncatedTo(ChronoUnit.MILLIS);
            max = Limits.positive("the max of debounce", max).truncatedTo(ChronoUnit.MILLIS);
            if (max.compareTo(delay) < 0) {
                throw new IllegalArgumentException("debounce must wait no longer than its max: it waits " + units(delay)
                        + ", and max is " + units(max));
            }
        }

        @Override
        public String toString() {
            return "debounce " + units(delay) + " max " + units(max);
        }
    }

    /** The older job is cancelled, and the newer runs. */
    record Supersede() implements Dedupe {
        @Override
        public String toString() {
            return "supersede";
        }
    }

    /** Returns the default: while a job has not ended, a submit with its key returns that job. */
    static Dedupe whileActive() {
        return new WhileActive();
    }

    /**
     * Keeps the key for some time after its last use: a submit with a key that another submit named less than this long
     * ago returns the job of that submit, even if it has ended or retention has deleted it.
     *
     * @param time how long the key is remembered, by the clock of the store
     */
    static Dedupe within(Duration time) {
        return new Within(time);
    }

    /**
     * Lets an unclaimed job take the payload and options of the submit. It keeps its id, its parent and its place in the
     * queue. If it is claimed, the submit creates one successor, which runs after it, and which later submits change.
     */
    static Dedupe replace() {
        return new Replace();
    }

    /**
     * Does the same as {@link #replace}, and has every submit postpone the start.
     *
     * @param delay how long after the last submit the job starts
     * @param max how long after the first submit it starts at the latest
     */
    static Dedupe debounce(Duration delay, Duration max) {
        return new Debounce(delay, max);
    }

    /** Cancels the older job. The newer has the key, and can be claimed once the attempt of the older has ended. */
    static Dedupe supersede() {
        return new Supersede();
    }

    /**
     * Reads what {@link #text} returns: {@code while active}, {@code within 1h}, {@code replace},
     * {@code debounce 10s max 1m} or {@code supersede}.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    @JsonCreator
    static Dedupe parse(String text) {
        String form = text.strip().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        return switch (form) {
            case "while active" -> new WhileActive();
            case "replace" -> new Replace();
            case "supersede" -> new Supersede();
            default -> {
                Matcher timed = Pattern.compile(
                        "within (?<within>\\d{1,12}(ms|[smhd]))|debounce (?<wait>\\d{1,12}(ms|[smhd])) "
                                + "max (?<max>\\d{1,12}(ms|[smhd]))")
                        .matcher(form);
                if (!timed.matches()) {
                    throw new IllegalArgumentException("dedupe must be 'while active', 'within 1h', 'replace', "
                            + "'debounce 10s max 1m' or 'supersede', with any times: '" + Limits.quoted(text) + "'");
                }
                yield timed.group("within") != null ? new Within(duration(timed.group("within")))
                        : new Debounce(duration(timed.group("wait")), duration(timed.group("max")));
            }
        };
    }

    private static Duration duration(String text) {
        int digits = text.endsWith("ms") ? text.length() - 2 : text.length() - 1;
        long number = Long.parseLong(text.substring(0, digits));
        ChronoUnit unit = switch (text.substring(digits)) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
        return Duration.of(number, unit);
    }

    private static String units(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    /** Returns the mode as {@link #parse} reads it. */
    @JsonValue
    default String text() {
        return toString();
    }

    /** Returns whether this is {@link #whileActive}. */
    default boolean isDefault() {
        return this instanceof WhileActive;
    }

    /** Returns whether the mode itself says when the job starts. */
    default boolean setsStart() {
        return this instanceof Debounce;
    }
}
