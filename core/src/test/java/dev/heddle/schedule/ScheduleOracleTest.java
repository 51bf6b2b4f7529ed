package dev.heddle.schedule;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the times of cron expressions with those that brute force finds, in 12 zones from 2024 to 2030. The conditions
 * are written by hand and share no code with the expressions. The short form looks at every quarter of an hour around all
 * changes of the offset, and in two zones at all seven years; the long form at all seven years in all zones.
 */
class ScheduleOracleTest {

    private static final Instant FROM = Instant.parse("2024-01-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2031-01-01T00:00:00Z");
    private static final long QUARTER = 15 * 60;

    private static final boolean LONG = "long".equals(System.getProperty("heddle.torture"));
    private static final Set<String> EVERYTHING = Set.of("UTC", "America/Santiago");

    private static final List<String> ZONES = List.of("UTC", "Europe/Berlin", "Europe/London", "America/New_York",
            "America/St_Johns", "America/Santiago", "Africa/Casablanca", "Africa/Cairo", "Asia/Kathmandu",
            "Asia/Beirut", "Australia/Lord_Howe", "Pacific/Chatham");

    /**
     * An expression, and what it means.
     *
     * @param often whether it fires so often that only the days around changes of the offset are compared
     */
    private record Case(String cron, boolean repeats, boolean often, Predicate<LocalDateTime> matches) {}

    private static final List<Case> CASES = List.of(
            new Case("0 2 * * *", false, false, t -> at(t, 2, 0)),
            new Case("30 2 * * *", false, false, t -> at(t, 2, 30)),
            new Case("0 0 * * *", false, false, t -> at(t, 0, 0)),
            new Case("15 1 * * *", false, false, t -> at(t, 1, 15)),
            new Case("0 3 * * SUN", false, false, t -> at(t, 3, 0) && t.getDayOfWeek() == DayOfWeek.SUNDAY),
            new Case("0 9 * * 1-5", false, false, t -> at(t, 9, 0) && t.getDayOfWeek().getValue() <= 5),
            new Case("0 0 L * *", false, false, t -> at(t, 0, 0) && t.getDayOfMonth() == lastDay(t)),
            new Case("0 0 13 * FRI", false, false,
                    t -> at(t, 0, 0) && (t.getDayOfMonth() == 13 || t.getDayOfWeek() == DayOfWeek.FRIDAY)),
            new Case("45 23 * * MON#2", false, false,
                    t -> at(t, 23, 45) && t.getDayOfWeek() == DayOfWeek.MONDAY && (t.getDayOfMonth() - 1) / 7 == 1),
            new Case("0 12 * * FRIL", false, false,
                    t -> at(t, 12, 0) && t.getDayOfWeek() == DayOfWeek.FRIDAY && t.getDayOfMonth() + 7 > lastDay(t)),
            new Case("0 6 15W * *", false, false,
                    t -> at(t, 6, 0) && t.toLocalDate().equals(nearestWeekday(YearMonth.from(t), 15))),
            new Case("0 4 29 2 *", false, false,
                    t -> at(t, 4, 0) && t.getMonthValue() == 2 && t.getDayOfMonth() == 29),
            new Case("0 1-3 * * *", false, true, t -> t.getMinute() == 0 && t.getHour() >= 1 && t.getHour() <= 3),
            new Case("0 * * * *", true, true, t -> t.getMinute() == 0),
            new Case("*/15 * * * *", true, true, t -> true),
            new Case("30 */2 * * *", true, true, t -> t.getMinute() == 30 && t.getHour() % 2 == 0),
            new Case("@daily", false, false, t -> at(t, 0, 0)),
            new Case("@hourly", true, true, t -> t.getMinute() == 0));

    private static boolean at(LocalDateTime time, int hour, int minute) {
        return time.getHour() == hour && time.getMinute() == minute;
    }

    private static int lastDay(LocalDateTime time) {
        return YearMonth.from(time).lengthOfMonth();
    }

    private static LocalDate nearestWeekday(YearMonth month, int day) {
        LocalDate date = month.atDay(day);
        return switch (date.getDayOfWeek()) {
            case SATURDAY -> date.minusDays(1);
            case SUNDAY -> date.plusDays(1);
            default -> date;
        };
    }

    static Stream<String> zones() {
        return ZONES.stream();
    }

    @ParameterizedTest
    @MethodSource("zones")
    void firesExactlyWhenBruteForceSaysSo(String name) {
        ZoneId zone = ZoneId.of(name);
        for (Case rule : CASES) {
            boolean everything = !rule.often() && (LONG || EVERYTHING.contains(name));
            for (Span span : everything ? List.of(new Span(FROM, TO)) : aroundChanges(zone.getRules())) {
                assertThat(fired(ScheduleRule.cron(rule.cron()), zone, span)).as(rule.cron() + " in " + zone)
                        .containsExactlyElementsOf(expected(rule, zone.getRules(), span));
            }
        }
    }

    /** The times after {@code from}, before {@code to}. */
    private record Span(Instant from, Instant to) {
        boolean has(Instant time) {
            return time.isAfter(from) && time.isBefore(to);
        }
    }

    private static List<Span> aroundChanges(ZoneRules rules) {
        return changes(rules).stream().map(ZoneOffsetTransition::getInstant)
                .map(change -> new Span(change.minus(30, ChronoUnit.HOURS), change.plus(30, ChronoUnit.HOURS)))
                .toList();
    }

    private static List<ZoneOffsetTransition> changes(ZoneRules rules) {
        return Stream.iterate(rules.nextTransition(FROM),
                change -> change != null && change.getInstant().isBefore(TO),
                change -> rules.nextTransition(change.getInstant())).toList();
    }

    private static List<Instant> fired(ScheduleRule rule, ZoneId zone, Span span) {
        List<Instant> fired = new ArrayList<>();
        for (Instant time = span.from();;) {
            time = rule.nextAfter(time, zone).orElse(TO);
            if (!span.has(time)) {
                return fired;
            }
            fired.add(time);
        }
    }

    private static SortedSet<Instant> expected(Case rule, ZoneRules rules, Span span) {
        SortedSet<Instant> expected = new TreeSet<>();
        for (long second = span.from().getEpochSecond(); second < span.to().getEpochSecond(); second += QUARTER) {
            Instant instant = Instant.ofEpochSecond(second);
            ZoneOffset offset = rules.getOffset(instant);
            LocalDateTime local = LocalDateTime.ofEpochSecond(second, 0, offset);
            List<ZoneOffset> offsets = rules.getValidOffsets(local);
            boolean first = offsets.size() == 1 || offsets.getFirst().equals(offset);
            if (span.has(instant) && rule.matches().test(local) && (first || rule.repeats())) {
                expected.add(instant);
            }
        }
        for (ZoneOffsetTransition change : changes(rules)) {
            for (LocalDateTime skipped = change.getDateTimeBefore(); skipped
                    .isBefore(change.getDateTimeAfter()); skipped = skipped.plusSeconds(QUARTER)) {
                if (span.has(change.getInstant()) && rule.matches().test(skipped)) {
                    expected.add(change.getInstant());
                }
            }
        }
        return expected;
    }
}
