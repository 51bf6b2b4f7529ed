package dev.heddle.query;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.heddle.job.IdRange;
import dev.heddle.job.JobState;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/** Turns a field and a value into a condition. */
final class ValueReader {

    private static final Pattern COMPARISON = Pattern.compile("(<=|>=|<|>)(.*)", Pattern.DOTALL);
    private static final Pattern RANGE = Pattern.compile("(.*?)\\.\\.(.*)", Pattern.DOTALL);
    private static final int LONGEST = 1_000;

    private final String query;
    private final Instant now;

    /** What a condition is about. */
    sealed interface Target {
        String name();
    }

    private record OfField(Field field) implements Target {
        @Override
        public String name() {
            return field.word();
        }
    }

    private record OfHeader(String header) implements Target {
        @Override
        public String name() {
            return Field.HEADER_PREFIX + header;
        }
    }

    private record OfPayload(String path) implements Target {
        @Override
        public String name() {
            return Field.PAYLOAD_PREFIX + path;
        }
    }

    /** A value as it was written, without its quotes. */
    record Value(String text, boolean quoted) {}

    /** A range with ends that may be open. Both ends are included. */
    private record Ends<T>(@Nullable T first, @Nullable T last) {}

    ValueReader(String query, Instant now) {
        this.query = query;
        this.now = now.truncatedTo(ChronoUnit.MILLIS); // as stores keep times
    }

    Target target(int position, String name) {
        Optional<Field> field = Field.named(name);
        if (field.isPresent()) {
            return new OfField(field.get());
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith(Field.HEADER_PREFIX) && name.length() > Field.HEADER_PREFIX.length()) {
            return new OfHeader(name.substring(Field.HEADER_PREFIX.length()));
        }
        if (lower.startsWith(Field.PAYLOAD_PREFIX) && name.length() > Field.PAYLOAD_PREFIX.length()) {
            return new OfPayload(name.substring(Field.PAYLOAD_PREFIX.length()));
        }
        List<String> known = Stream.concat(Field.words().stream(), Stream.of("header.NAME", "payload.PATH")).toList();
        throw error(position, "unknown field '" + Limits.quoted(name) + "'; " + Spelling.closest(name, known)
                .map(near -> "did you mean '" + near + "'?").orElse("fields are " + String.join(", ", known)));
    }

    Condition condition(Target target, Value value, int position) {
        if (value.text.isEmpty() || value.text.length() > LONGEST) {
            throw error(position, value.text.isEmpty() ? "the value of '" + target.name() + "' is empty"
                    : "the value is longer than " + LONGEST + " characters; shorten it");
        }
        return switch (target) {
            case OfHeader(String name) -> new Condition.Header(name, equal(target, value, position));
            case OfPayload(String path) -> new Condition.Payload(path, equal(target, value, position));
            case OfField(Field field) -> switch (field.kind()) {
                case STATE -> new Condition.InState(Set.of(state(equal(target, value, position), position)));
                case TEXT -> new Condition.Is(field, equal(target, value, position));
                case PART -> new Condition.Contains(field, equal(target, value, position));
                case ID -> new Condition.IdIn(field, ids(equal(target, value, position), position));
                case TIME -> time(field, value.text, position);
                case NUMBER -> numbers(field, value.text, position);
                case DURATION -> durations(value.text, position);
            };
        };
    }

    /** Returns the condition that one of these holds; states are joined into one condition. */
    Condition anyOf(List<Condition> alternatives) {
        if (alternatives.size() == 1) {
            return alternatives.getFirst();
        }
        Set<JobState> states = new LinkedHashSet<>();
        for (Condition each : alternatives) {
            if (!(each instanceof Condition.InState(var some))) {
                return new Condition.Any(alternatives);
            }
            states.addAll(some);
        }
        return new Condition.InState(states);
    }

    /** Returns a value that can only be equal. Text that looks like a comparison has to be quoted. */
    private String equal(Target target, Value value, int position) {
        if (!value.quoted && COMPARISON.matcher(value.text).matches()) {
            throw error(position, "'" + target.name() + "' cannot be compared with < or >; write " + target.name()
                    + ":value, or quote a value that starts like this");
        }
        return value.text;
    }

    private JobState state(String name, int position) {
        List<String> names = Arrays.stream(JobState.values()).map(state -> state.name().toLowerCase(Locale.ROOT))
                .toList();
        if (names.contains(name.toLowerCase(Locale.ROOT))) {
            return JobState.valueOf(name.toUpperCase(Locale.ROOT));
        }
        throw error(position, "unknown state '" + Limits.quoted(name) + "'; " + Spelling.closest(name, names)
                .map(near -> "did you mean '" + near + "'?").orElse("states are " + String.join(", ", names)));
    }

    private IdRange ids(String text, int position) {
        if (!IdRange.isPrefix(text)) {
            throw error(position, "'" + Limits.quoted(text) + "' is not a job id or the beginning of one");
        }
        return IdRange.startingWith(text);
    }

    private Condition numbers(Field field, String text, int position) {
        Ends<Long> ends = ends(text, position, this::number);
        return new Condition.Between(field, ends.first == null ? Long.MIN_VALUE : ends.first,
                ends.last == null ? Long.MAX_VALUE : ends.last);
    }

    private long number(String text, int position) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw error(position, "'" + Limits.quoted(text) + "' is not a whole number");
        }
    }

    private Condition durations(String text, int position) {
        Ends<Long> ends = ends(text, position, (value, where) -> TimeText.duration(value).orElseThrow(
                () -> error(where, "'" + Limits.quoted(value) + "' is not a length of time; write one such as 5s, 10m"
                        + " or 2h"))
                .toMillis());
        return new Condition.Ran(ends.first == null ? Long.MIN_VALUE : ends.first,
                ends.last == null ? Long.MAX_VALUE : ends.last, now);
    }

    private interface Reader<T> {
        T read(String text, int position);
    }

    private Ends<Long> ends(String text, int position, Reader<Long> reader) {
        Matcher comparison = COMPARISON.matcher(text);
        if (comparison.matches()) {
            long value = reader.read(comparison.group(2), position + comparison.start(2));
            return switch (comparison.group(1)) {
                case "<" -> new Ends<>(null, value - 1);
                case "<=" -> new Ends<>(null, value);
                case ">" -> new Ends<>(value + 1, null);
                default -> new Ends<>(value, null);
            };
        }
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            long value = reader.read(text, position);
            return new Ends<>(value, value);
        }
        requireAnEnd(range, position);
        return new Ends<>(range.group(1).isEmpty() ? null : reader.read(range.group(1), position),
                range.group(2).isEmpty() ? null : reader.read(range.group(2), position + range.start(2)));
    }

    private void requireAnEnd(Matcher range, int position) {
        if (range.group(1).isEmpty() && range.group(2).isEmpty()) {
            throw error(position, "a range needs at least one end, such as 5.. or 5..10");
        }
    }

    /** A time that goes back from now, such as 2h, is larger the longer ago it is: {@code <2h} is after it. */
    private Condition time(Field field, String text, int position) {
        Matcher comparison = COMPARISON.matcher(text);
        if (comparison.matches()) {
            TimeText.Span value = span(comparison.group(2), position + comparison.start(2));
            boolean less = comparison.group(1).startsWith("<");
            boolean orEqual = comparison.group(1).endsWith("=");
            if (less == value.ago()) {
                return new Condition.During(field, orEqual || value.ago() ? value.start() : value.end(), null);
            }
            return new Condition.During(field, null, orEqual ? value.end() : value.start());
        }
        Matcher range = RANGE.matcher(text);
        if (range.matches()) {
            return timeRange(field, range, position);
        }
        TimeText.Span value = span(text, position);
        if (value.ago()) {
            throw error(position, "write " + field.word() + ":<" + text + " for the last " + text + ", or "
                    + field.word() + ":>" + text + " for before that");
        }
        return new Condition.During(field, value.start(), value.end());
    }

    /** The ends may be in any order: 2h..1d is the same as 1d..2h. */
    private Condition timeRange(Field field, Matcher range, int position) {
        requireAnEnd(range, position);
        TimeText.@Nullable Span first = range.group(1).isEmpty() ? null : span(range.group(1), position);
        TimeText.@Nullable Span last = range.group(2).isEmpty() ? null
                : span(range.group(2), position + range.start(2));
        if (first != null && last != null) {
            boolean inOrder = !last.start().isBefore(first.start());
            return new Condition.During(field, (inOrder ? first : last).start(), (inOrder ? last : first).end());
        }
        TimeText.Span only = first != null ? first : Objects.requireNonNull(last);
        return (first != null) != only.ago() ? new Condition.During(field, only.start(), null)
                : new Condition.During(field, null, only.end());
    }

    private TimeText.Span span(String text, int position) {
        return TimeText.span(text, now).orElseThrow(() -> error(position, "'" + Limits.quoted(text)
                + "' is not a time; write how long ago, such as 2h, or when, such as 2026-03-01 or 2026-03-01T12:00Z"));
    }

    private QuerySyntaxException error(int position, String problem) {
        return new QuerySyntaxException(query, position, problem);
    }
}
