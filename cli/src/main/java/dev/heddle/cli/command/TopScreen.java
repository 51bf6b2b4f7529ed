package dev.heddle.cli.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.control.model.NodeView;
import dev.heddle.control.model.Stats;
import dev.heddle.control.model.StatsLine;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * What {@code heddle top} shows: nodes and counts in two lines, then a line for each type and queue.
 *
 * @param stats the statistics
 * @param nodes the nodes
 * @param now the time
 */
record TopScreen(Stats stats, List<NodeView> nodes, Instant now) {

    /** The order of the lines. */
    enum Order {
        /** By the number of queued jobs. */
        QUEUED(Comparator.comparingLong(line -> -count(line, JobState.QUEUED))),
        /** By the jobs that complete in a minute. */
        DONE(Comparator.comparingDouble(line -> -line.completedPerMinute())),
        /** By the attempts that fail in a minute, and then in an hour. */
        FAILED(Comparator.<StatsLine>comparingDouble(line -> -line.failedPerMinute())
                .thenComparingLong(line -> -line.failed())),
        /** By the time that jobs wait. */
        WAIT(Comparator.comparingLong(line -> -line.waitTime().p95().toMillis())),
        /** By the time that attempts run. */
        RUN(Comparator.comparingLong(line -> -line.runTime().p95().toMillis())),
        /** By the name of the type. */
        TYPE(Comparator.comparing(StatsLine::type));

        @SuppressWarnings("ImmutableEnumChecker") // the comparators are immutable
        private final Comparator<StatsLine> comparator;

        Order(Comparator<StatsLine> comparator) {
            this.comparator = comparator;
        }

        Order next(int step) {
            List<Order> all = List.of(values());
            return all.get(Math.floorMod(all.indexOf(this) + step, all.size()));
        }

        /** Returns the lines in this order, and equal ones by type and queue. */
        List<StatsLine> sorted(List<StatsLine> lines) {
            return lines.stream().sorted(
                    comparator.thenComparing(StatsLine::type).thenComparing(StatsLine::queue)).toList();
        }
    }

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final int WIDE = 110;
    private static final int HEAD_LINES = 4;

    /**
     * Returns the lines, which have styles.
     *
     * @param height how many lines there is room for
     * @param keys what the last line says; null for none
     */
    List<String> lines(Terminal terminal, int height, Order order, @Nullable String keys) {
        StringWriter text = new StringWriter();
        CliOutput output = new CliOutput(new PrintWriter(text, true), new PrintWriter(Writer.nullWriter()), terminal);
        output.print(cut(nodeLine(), terminal));
        output.print(cut(countLine(), terminal));
        output.print("");
        List<StatsLine> lines = order.sorted(stats.byType());
        int room = Math.max(1, height - HEAD_LINES - (keys == null ? 0 : 1));
        boolean cut = lines.size() > room;
        table(terminal.width() >= WIDE).print(output, cut ? lines.subList(0, room - 1) : lines);
        if (cut) {
            output.print(output.styled(Style.DIM, "… " + (lines.size() - room + 1) + " more"));
        }
        if (lines.isEmpty()) {
            output.print(output.styled(Style.DIM, "no jobs yet"));
        }
        if (keys != null) {
            output.print(output.styled(Style.DIM, keys));
        }
        return text.toString().lines().toList();
    }

    private static String cut(String line, Terminal terminal) {
        return line.length() <= terminal.width() ? line : line.substring(0, terminal.width() - 1) + "…";
    }

    private String nodeLine() {
        List<NodeView> alive = nodes.stream().filter(NodeView::alive).toList();
        String time = CLOCK.format(now.atZone(ZoneId.systemDefault()));
        if (alive.isEmpty()) {
            return "heddle " + time + "  no node is running; start one with 'heddle serve'";
        }
        return "heddle " + time + "  " + JobFormat.count(alive.size(), "node", "s") + "  "
                + alive.stream().mapToInt(NodeView::busy).sum() + " of "
                + alive.stream().mapToInt(NodeView::workers).sum() + " workers busy"
                + (stats.pausedQueues().isEmpty() ? ""
                        : "  paused queues: " + String.join(", ", stats.pausedQueues()));
    }

    private String countLine() {
        long running = in(JobState.ASSIGNED) + in(JobState.RUNNING);
        double perMinute = stats.byType().stream().mapToDouble(StatsLine::completedPerMinute).sum();
        double failures = stats.byType().stream().mapToDouble(StatsLine::failedPerMinute).sum();
        StringBuilder line = new StringBuilder(in(JobState.QUEUED) + " queued  " + running + " running");
        for (JobState state : List.of(JobState.SCHEDULED, JobState.WAITING, JobState.PAUSED)) {
            if (in(state) > 0) {
                line.append("  ").append(in(state)).append(' ').append(state.name().toLowerCase(Locale.ROOT));
            }
        }
        return line + "  " + stats.dead() + " dead  " + rate(perMinute) + " done/min  " + rate(failures)
                + " failed/min";
    }

    private long in(JobState state) {
        return stats.jobs().getOrDefault(state, 0L);
    }

    private Table<StatsLine> table(boolean wide) {
        Table<StatsLine> table = new Table<StatsLine>().elastic("TYPE", StatsLine::type)
                .elastic("QUEUE", StatsLine::queue).number("QUEUED", line -> shown(count(line, JobState.QUEUED)))
                .number("OLDEST", this::oldest)
                .number("RUN", line -> shown(count(line, JobState.ASSIGNED) + count(line, JobState.RUNNING)));
        if (wide) {
            table.number("SCHED", line -> shown(count(line, JobState.SCHEDULED)))
                    .number("WAIT", line -> shown(count(line, JobState.WAITING)))
                    .number("PAUSED", line -> shown(count(line, JobState.PAUSED)));
        }
        table.number("DEAD", line -> shown(count(line, JobState.FAILED)))
                .number("DONE/M", line -> rate(line.completedPerMinute()))
                .number("FAIL/M", line -> rate(line.failedPerMinute()));
        if (wide) {
            table.number("WAIT 50", line -> time(line.waitTime().p50()));
        }
        table.number("WAIT 95", line -> time(line.waitTime().p95()));
        if (wide) {
            table.number("RUN 50", line -> time(line.runTime().p50()));
        }
        return table.number("RUN 95", line -> time(line.runTime().p95()));
    }

    private String oldest(StatsLine line) {
        return line.nextSince() == null ? "" : Durations.coarse(Duration.between(line.nextSince(), now));
    }

    private static long count(StatsLine line, JobState state) {
        Map<JobState, Long> jobs = line.jobs();
        return jobs.getOrDefault(state, 0L);
    }

    private static String shown(long count) {
        return count == 0 ? "" : String.valueOf(count);
    }

    private static String rate(double perMinute) {
        return perMinute == 0 ? "0" : String.format(Locale.ROOT, perMinute < 10 ? "%.1f" : "%.0f", perMinute);
    }

    /** Returns a time with about two digits. */
    static String time(Duration time) {
        double millis = time.toNanos() / 1e6;
        if (time.isZero()) {
            return "";
        }
        if (millis < 1_000) {
            return String.format(Locale.ROOT, millis < 10 ? "%.1fms" : "%.0fms", millis);
        }
        return millis < 60_000 ? String.format(Locale.ROOT, millis < 10_000 ? "%.1fs" : "%.0fs", millis / 1_000)
                : Durations.coarse(time);
    }
}
