package dev.heddle.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

import dev.heddle.job.DurationText;
import dev.heddle.job.JobRequest;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * A schedule as its author defines it: a name, a rule, and the job to submit each time. Immutable: every option returns
 * a changed copy.
 *
 * {@snippet :
 * pool.schedules().put(Schedule.of("nightly-report", "0 2 * * *", REPORT.with(new Report("sales")))
 *         .zone("Europe/Berlin").missed(Missed.catchUp(3)));
 * }
 *
 * <p>The job of each run has the headers {@value #NAME_HEADER} and {@value #TIME_HEADER}, see
 * {@link dev.heddle.job.JobContext#headers}.
 */
public final class Schedule {

    /** The header of a job that names its schedule. */
    public static final String NAME_HEADER = "heddle-schedule";

    /** The header of a job with the time at which its run was due, such as {@code 2026-03-01T02:00:00Z}. */
    public static final String TIME_HEADER = "heddle-fire-time";

    /** The headers that the job may have besides these two. */
    private static final int MOST_HEADERS = Limits.HEADERS - 2;

    private final String name;
    private final ScheduleRule rule;
    private final JobRequest<?, ?> job;
    private final Options options;

    private record Options(ZoneId zone, Missed missed, Overlap overlap, Duration jitter, @Nullable Instant until,
            @Nullable Integer runs) {}

    private Schedule(String name, ScheduleRule rule, JobRequest<?, ?> job, Options options) {
        this.name = name;
        this.rule = rule;
        this.job = job;
        this.options = options;
    }

    /**
     * Returns a schedule in UTC.
     *
     * @param rule a cron expression, or an interval such as {@code every 15m}
     * @param job what to submit each time; its id, and a dedupe key, delay, start time or parent make no sense here
     * @throws IllegalArgumentException if the name, the rule or the job is invalid
     */
    public static Schedule of(String name, String rule, JobRequest<?, ?> job) {
        return of(name, ScheduleRule.parse(rule), job);
    }

    /**
     * Returns a schedule in UTC.
     *
     * @throws IllegalArgumentException if the name or the job is invalid
     */
    public static Schedule of(String name, ScheduleRule rule, JobRequest<?, ?> job) {
        var spec = requireNonNull(job, "job").spec("null", Instant.EPOCH);
        String unfit = spec.dedupeKey().isPresent() ? "a dedupe key; use overlap to keep runs apart"
                : spec.parent().isPresent() ? "a parent"
                        : job.start() instanceof JobRequest.Start.AtOnce ? null
                                : "a delay or a start time; the rule says when it runs";
        if (unfit != null) {
            throw new IllegalArgumentException("the job of a schedule cannot have " + unfit);
        }
        Limits.between(0, MOST_HEADERS, "the number of headers of a scheduled job", spec.headers().size());
        return new Schedule(Limits.name("schedule", name), requireNonNull(rule, "rule"), job,
                new Options(ZoneOffset.UTC, Missed.coalesce(), Overlap.SKIP, Duration.ZERO, null, null));
    }

    private Schedule with(Options changed) {
        return new Schedule(name, rule, job, changed);
    }

    /** Sets the time zone in which the times of a cron expression are meant. The default is UTC. */
    public Schedule zone(ZoneId zone) {
        return with(new Options(requireNonNull(zone, "zone"), options.missed, options.overlap, options.jitter,
                options.until, options.runs));
    }

    /**
     * Sets the time zone by its name, such as {@code Europe/Berlin}.
     *
     * @throws IllegalArgumentException if there is no such zone
     */
    public Schedule zone(String zone) {
        return zone(zoneOf(zone));
    }

    /**
     * Returns the zone with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ZoneId zoneOf(String name) {
        try {
            return ZoneId.of(requireNonNull(name, "zone").strip());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("unknown time zone '" + Limits.quoted(name)
                    + "'; expected a name such as Europe/Berlin or UTC", e);
        }
    }

    /** Sets what to do about runs that nobody started in time. The default is {@link Missed#coalesce}. */
    public Schedule missed(Missed policy) {
        return with(new Options(options.zone, requireNonNull(policy, "policy"), options.overlap, options.jitter,
                options.until, options.runs));
    }

    /** Sets what to do if an earlier run has not ended. The default is {@link Overlap#SKIP}. */
    public Schedule overlap(Overlap policy) {
        return with(new Options(options.zone, options.missed, requireNonNull(policy, "policy"), options.jitter,
                options.until, options.runs));
    }

    /**
     * Spreads runs: each starts up to this much later, by an amount that depends on the schedule and on the time of the
     * run. The default is zero, and a day the most.
     */
    public Schedule jitter(Duration most) {
        Limits.notNegative("jitter", most);
        if (most.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("jitter must be at most 1 day: " + DurationText.of(most));
        }
        return with(new Options(options.zone, options.missed, options.overlap, most, options.until, options.runs));
    }

    /** Sets the last time at which the schedule may fire. The default is none. */
    public Schedule until(Instant last) {
        return with(new Options(options.zone, options.missed, options.overlap, options.jitter,
                Limits.time("until", last), options.runs));
    }

    /** Sets how many runs the schedule makes before it ends. Those that a person asks for do not count. */
    public Schedule runs(int most) {
        return with(new Options(options.zone, options.missed, options.overlap, options.jitter, options.until,
                Limits.atLeast(1, "runs", most)));
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns when it fires. */
    public ScheduleRule rule() {
        return rule;
    }

    /** Returns the job to submit each time. */
    public JobRequest<?, ?> job() {
        return job;
    }

    /** Returns the time zone of the rule. */
    public ZoneId zone() {
        return options.zone;
    }

    /** Returns what to do about runs that nobody started in time. */
    public Missed missed() {
        return options.missed;
    }

    /** Returns what to do if an earlier run has not ended. */
    public Overlap overlap() {
        return options.overlap;
    }

    /** Returns by how much a run may start later. */
    public Duration jitter() {
        return options.jitter;
    }

    /** Returns the last time at which it may fire, if there is one. */
    public Optional<Instant> until() {
        return Optional.ofNullable(options.until);
    }

    /** Returns how many runs it makes, if there is a limit. */
    public Optional<Integer> runs() {
        return Optional.ofNullable(options.runs);
    }

    /** Returns the name and the rule. */
    @Override
    public String toString() {
        return name + " (" + rule + ")";
    }
}
