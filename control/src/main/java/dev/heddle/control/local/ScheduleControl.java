package dev.heddle.control.local;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.BackfillDraft;
import dev.heddle.control.model.BackfillResult;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.ScheduleDetail;
import dev.heddle.control.model.ScheduleDraft;
import dev.heddle.control.model.SchedulePage;
import dev.heddle.control.model.ScheduleRunView;
import dev.heddle.control.model.ScheduleView;
import dev.heddle.job.JobSpec;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.NoSuchScheduleException;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.Schedule;
import dev.heddle.schedule.ScheduleRun;
import dev.heddle.schedule.ScheduleStatus;
import dev.heddle.schedule.Schedules;
import dev.heddle.store.JobDetails;
import dev.heddle.store.NodeRecord;
import org.jspecify.annotations.Nullable;

/** Lists, edits and triggers schedules. */
record ScheduleControl(Backend backend, String actor, SubmissionGate gate) {

    private static final int NEXT_SHOWN = 5;
    private static final int RUNS_SHOWN = 10;

    SchedulePage list(@Nullable String cursor, int limit) {
        InputChecks.between("limit", 1, Control.MOST_LISTED, limit);
        List<ScheduleStatus> found = schedules().list(Objects.requireNonNullElse(cursor, ""), limit + 1);
        Optional<Instant> oldest = oldestNode();
        List<ScheduleView> shown = found.stream().limit(limit).map(schedule -> view(schedule, oldest, false)).toList();
        return new SchedulePage(shown, found.size() > limit ? shown.getLast().name() : null);
    }

    ScheduleDetail detail(String name) {
        ScheduleStatus schedule = require(name);
        return new ScheduleDetail(view(schedule, oldestNode(), true), schedules().next(name, NEXT_SHOWN),
                schedules().runs(name, RUNS_SHOWN).stream().map(this::run).toList());
    }

    List<Instant> next(String name, int count) {
        InputChecks.between("limit", 1, Control.MOST_LISTED, count);
        return translated(() -> schedules().next(name, count));
    }

    ScheduleView set(ScheduleDraft draft) {
        Schedule schedule = InputChecks.checked(() -> schedule(draft));
        requireARun(schedule);
        gate.requireSubmittable(draft.job(), null);
        if (!Boolean.TRUE.equals(draft.replace()) && schedules().find(schedule.name()).isPresent()) {
            throw new ControlException(Kind.CONFLICT, "schedule '" + schedule.name()
                    + "' exists already; set 'replace' (--replace) to change it");
        }
        return view(schedules().edit(schedule, actor), oldestNode(), true);
    }

    private static Schedule schedule(ScheduleDraft draft) {
        JobDraft job = InputChecks.present("job", draft.job());
        if (job.id() != null || job.parent() != null) {
            throw ControlException.invalid("the job of a schedule cannot have an id or a parent");
        }
        Schedule schedule = Schedule.of(InputChecks.present("name", draft.name()),
                InputChecks.present("rule", draft.rule()), JobRequests.of(job, null));
        schedule = draft.zone() == null ? schedule : schedule.zone(draft.zone());
        schedule = draft.missed() == null ? schedule : schedule.missed(Missed.parse(draft.missed()));
        schedule = draft.overlap() == null ? schedule : schedule.overlap(Overlap.parse(draft.overlap()));
        schedule = draft.jitter() == null ? schedule : schedule.jitter(draft.jitter());
        schedule = draft.until() == null ? schedule : schedule.until(draft.until());
        return draft.runs() == null ? schedule : schedule.runs(draft.runs());
    }

    /** A schedule that code defines may have ended. One that a person sets now is a mistake if it never runs. */
    private void requireARun(Schedule schedule) {
        Instant until = schedule.until().orElse(null);
        Instant first = schedule.rule().nextAfter(backend.now(), schedule.zone()).orElse(null);
        if (until != null && first != null && first.isAfter(until)) {
            throw ControlException
                    .invalid("schedule '" + schedule.name() + "' would never run: its first run would be at "
                            + first + ", after the end at " + until);
        }
    }

    ScheduleView pause(String name) {
        return change(name, schedules()::pause);
    }

    ScheduleView resume(String name) {
        return change(name, schedules()::resume);
    }

    ScheduleView reset(String name) {
        return change(name, schedules()::reset);
    }

    ScheduleView delete(String name) {
        ScheduleView deleted = view(require(name), oldestNode(), true);
        schedules().delete(name);
        return deleted;
    }

    private ScheduleView change(String name, Consumer<String> edit) {
        translated(() -> {
            edit.accept(name);
            return name;
        });
        return view(require(name), oldestNode(), true);
    }

    JobView trigger(String name) {
        gate.requireRetryable(require(name).definition().job().type());
        return Views.job(new JobResolver(backend.jobs()).job(translated(() -> schedules().trigger(name)).toString()));
    }

    BackfillResult backfill(String name, BackfillDraft times) {
        gate.requireRetryable(require(name).definition().job().type());
        Schedules.Backfill done = translated(() -> schedules().backfill(name,
                InputChecks.present("from", times.from()), InputChecks.present("to", times.to())));
        return new BackfillResult(done.made(), done.existing());
    }

    /** Java's name for UTC is Z. */
    private static String zone(ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
    }

    private Schedules schedules() {
        try {
            return backend.schedules();
        } catch (UnsupportedOperationException e) {
            throw new ControlException(Kind.CONFLICT, String.valueOf(e.getMessage()), e);
        }
    }

    private ScheduleStatus require(String name) {
        return translated(() -> schedules().find(InputChecks.present("name", name))
                .orElseThrow(() -> new NoSuchScheduleException(name)));
    }

    /** A schedule that has ended, was defined by nobody's code, or is damaged refuses some commands. */
    private static <T> T translated(Supplier<T> command) {
        try {
            return command.get();
        } catch (IllegalStateException e) {
            throw new ControlException(Kind.CONFLICT, String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns when the oldest live node joined: what it put may still be in its code. */
    private Optional<Instant> oldestNode() {
        return backend.jobs().nodes().stream().map(NodeRecord::joinedAt).min(Instant::compareTo);
    }

    private static ScheduleView view(ScheduleStatus schedule, Optional<Instant> oldestNode, boolean withPayload) {
        ScheduleStatus.Definition definition = schedule.definition();
        ScheduleStatus.Origin origin = schedule.origin();
        Instant putAt = origin.putAt();
        boolean gone = putAt != null && oldestNode.filter(putAt::isBefore).isPresent();
        return new ScheduleView(schedule.name(), schedule.state(), definition.rule().toString(),
                definition.rule().inWords(), zone(definition.zone()), definition.missed().toString(),
                definition.overlap().toString(), definition.jitter().isZero() ? null : definition.jitter(),
                definition.until(), definition.runs(), job(definition.job(), withPayload), schedule.nextAt(),
                schedule.waiting(), schedule.counts().fired(), schedule.counts().missed(), schedule.counts().skipped(),
                origin.code(), gone, origin.editedBy(), origin.editedAt());
    }

    private static JobDraft job(JobSpec spec, boolean withPayload) {
        JobSpec.Extras options = spec.extras();
        return JobDraft.of(spec.type(), withPayload ? StoredJson.shown(spec.payload()) : null).queue(spec.queue())
                .priority(spec.priority() == 0 ? null : spec.priority()).maxRetries(options.maxRetries())
                .timeout(options.timeout()).session(options.session()).subject(options.subject())
                .tags(options.tags().isEmpty() ? null : options.tags())
                .headers(options.headers().isEmpty() ? null : options.headers());
    }

    private ScheduleRunView run(ScheduleRun run) {
        Optional<JobDetails> job = Optional.ofNullable(run.job()).flatMap(backend.jobs()::details);
        return new ScheduleRunView(run.time(), run.firedAt(), run.kind(),
                run.job() == null ? null : run.job().toString(), job.map(found -> found.job().state()).orElse(null),
                job.flatMap(ScheduleControl::duration).orElse(null));
    }

    private static Optional<Duration> duration(JobDetails job) {
        return job.attempts().reversed().stream().findFirst().flatMap(last -> Optional.ofNullable(last.startedAt())
                .map(started -> Duration.between(started, last.endedAt())));
    }
}
