package dev.heddle.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random cron expressions around random changes of the offset in all zones of the JDK since 1900, from offsets with odd
 * seconds to the day that Samoa left out: the times are those that brute force finds second by second.
 */
class GapsAndFoldsTest {

    private static final boolean LONG = "long".equals(System.getProperty("heddle.torture"));
    private static final int CASES = LONG ? 20_000 : 600;
    private static final Instant FROM = Instant.parse("1900-01-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2040-01-01T00:00:00Z");

    /** One field: its text, what it admits, and whether it admits everything at equal distances. */
    private record Field(String text, IntPredicate matches, boolean regular) {}

    private record Rule(Field second, Field minute, Field hour) {

        String cron() {
            return second.text + " " + minute.text + " " + hour.text + " * * *";
        }

        boolean matches(LocalDateTime time) {
            return second.matches.test(time.getSecond()) && minute.matches.test(time.getMinute())
                    && hour.matches.test(time.getHour());
        }
    }

    private final Random random = random();
    private int gaps;
    private int folds;

    private static Random random() {
        String given = System.getProperty("heddle.seed", "");
        long seed = !given.isBlank() ? Long.parseLong(given) : LONG ? System.nanoTime() : 1;
        System.out.println("GapsAndFoldsTest: seed " + seed + " (repeat with -Dheddle.seed=" + seed + ")");
        return new Random(seed);
    }

    @Test
    void firesExactlyWhenBruteForceSaysSoAroundAnyChangeOfTheOffset() {
        List<ZoneId> zones = ZoneId.getAvailableZoneIds().stream().sorted().map(ZoneId::of)
                .filter(zone -> !changes(zone.getRules()).isEmpty()).toList();
        for (int i = 0; i < CASES; i++) {
            ZoneId zone = zones.get(random.nextInt(zones.size()));
            List<ZoneOffsetTransition> changes = changes(zone.getRules());
            check(zone, changes.get(random.nextInt(changes.size())), rule());
        }
        assertThat(gaps).isGreaterThan(CASES / 10);
        assertThat(folds).isGreaterThan(CASES / 10);
    }

    private static List<ZoneOffsetTransition> changes(ZoneRules rules) {
        List<ZoneOffsetTransition> changes = new ArrayList<>();
        for (ZoneOffsetTransition change = rules.nextTransition(FROM); change != null
                && change.getInstant().isBefore(TO); change = rules.nextTransition(change.getInstant())) {
            changes.add(change);
        }
        return changes;
    }

    private Rule rule() {
        return new Rule(random.nextInt(3) > 0 ? list(60, 1) : field(60), field(60), field(24));
    }

    private Field field(int values) {
        return switch (random.nextInt(4)) {
            case 0 -> new Field("*", _ -> true, true);
            case 1 -> {
                int step = random.nextInt(2, values / 2);
                yield new Field("*/" + step, value -> value % step == 0, true);
            }
            case 2 -> {
                int first = random.nextInt(values);
                int last = random.nextInt(first, values);
                yield new Field(first + "-" + last, value -> first <= value && value <= last, false);
            }
            default -> list(values, random.nextInt(1, 4));
        };
    }

    private Field list(int values, int count) {
        Set<Integer> some = IntStream.range(0, count).mapToObj(_ -> random.nextInt(values))
                .collect(Collectors.toCollection(TreeSet::new));
        return new Field(some.stream().map(String::valueOf).collect(Collectors.joining(",")), some::contains, false);
    }

    private void check(ZoneId zone, ZoneOffsetTransition change, Rule rule) {
        Duration around = change.getDuration().abs().plusHours(2);
        Instant from = change.getInstant().minus(around);
        Instant to = change.getInstant().plus(around);
        NavigableSet<Instant> expected = expected(zone.getRules(), rule, from, to);
        ScheduleRule cron = ScheduleRule.cron(rule.cron());
        String name = "%s in %s around %s".formatted(rule.cron(), zone, change);
        List<Instant> starts = new ArrayList<>(List.of(from, change.getInstant(), change.getInstant().minusNanos(1)));
        expected.stream().filter(_ -> random.nextInt(expected.size()) < 20).forEach(starts::add);
        IntStream.range(0, 20).forEach(_ -> starts
                .add(from.plusMillis(random.nextLong(Duration.between(from, to).toMillis()))));
        for (Instant start : starts) {
            Instant next = cron.nextAfter(start, zone).orElse(TO);
            Instant wanted = expected.higher(start);
            if (wanted == null) {
                assertThat(next).as("%s, after %s", name, start).isAfterOrEqualTo(to);
            } else {
                assertThat(next).as("%s, after %s", name, start).isEqualTo(wanted);
            }
        }
        gaps += change.isGap() && expected.contains(change.getInstant()) ? 1 : 0;
        folds += change.isOverlap() ? 1 : 0;
    }

    /** After {@code from} and before {@code to}. */
    private static NavigableSet<Instant> expected(ZoneRules rules, Rule rule, Instant from, Instant to) {
        NavigableSet<Instant> expected = new TreeSet<>();
        ZoneOffset before = rules.getOffset(from);
        for (Instant time = from.plusSeconds(1); time.isBefore(to); time = time.plusSeconds(1)) {
            ZoneOffset offset = rules.getOffset(time);
            LocalDateTime local = LocalDateTime.ofInstant(time, offset);
            boolean first = rules.getValidOffsets(local).getFirst().equals(offset);
            if (rule.matches(local) && (first || rule.hour.regular)) {
                expected.add(time);
            }
            // The local times that a gap leaves out.
            for (LocalDateTime skipped = LocalDateTime.ofInstant(time, before); skipped
                    .isBefore(local); skipped = skipped.plusSeconds(1)) {
                if (rule.matches(skipped)) {
                    expected.add(time);
                    break;
                }
            }
            before = offset;
        }
        return expected;
    }
}
