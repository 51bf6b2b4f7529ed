package dev.heddle.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.Schedule;
import dev.heddle.schedule.ScheduleRun;
import dev.heddle.schedule.ScheduleState;
import dev.heddle.schedule.ScheduleStore;
import dev.heddle.store.JobQuery;
import dev.heddle.store.JobReader;

/** Schedules submit jobs of another type: one makes a run for every time, the others one run after the other. */
final class ScheduledWork extends Workloads.Echo {

    private static final JobType<Integer, String> RUN = Workloads.named("run");
    private static final int RUNS = 8;
    private static final Duration EVERY = Duration.ofSeconds(7);
    private static final int SHORT = 100;
    private static final int LONG = 9_000;

    private static final Schedule EVERY_TIME = Schedule.of("every-time", "every 7s", RUN.with(SHORT))
            .missed(Missed.catchUp(10_000)).overlap(Overlap.ALLOW).runs(RUNS);
    private static final Schedule ONE_BY_ONE = Schedule.of("one-by-one", "every 5s", RUN.with(LONG))
            .overlap(Overlap.QUEUE_ONE).runs(RUNS);
    private static final Schedule LATEST_ONLY = Schedule.of("latest-only", "every 6s", RUN.with(LONG))
            .missed(Missed.skip()).overlap(Overlap.CANCEL_PREVIOUS).runs(RUNS);
    private static final List<Schedule> ALL = List.of(EVERY_TIME, ONE_BY_ONE, LATEST_ONLY);

    ScheduledWork() {
        super(Workloads.named("scheduled"));
    }

    @Override
    void register(PoolBuilder pool, Host host) {
        super.register(pool, host);
        pool.register(RUN, (millis, job) -> run(millis, job, host));
        ALL.forEach(pool::schedule);
    }

    private static String run(int millis, JobContext job, Host host) {
        if (!EVERY_TIME.name().equals(job.headers().get(Schedule.NAME_HEADER))) {
            List<Job> beside = host.observer()
                    .list(JobQuery.all().type(RUN).states(JobState.ASSIGNED, JobState.RUNNING, JobState.CANCELLED))
                    .stream().filter(other -> other.endedAt().isEmpty() && !other.id().equals(job.id()))
                    .filter(other -> nameOf(other).equals(job.headers().get(Schedule.NAME_HEADER))).toList();
            if (!beside.isEmpty()) {
                throw JobException.permanent("runs beside " + beside);
            }
        }
        job.sleep(Duration.ofMillis(millis));
        return "run";
    }

    private static String nameOf(Job job) {
        return job.spec().headers().getOrDefault(Schedule.NAME_HEADER, "");
    }

    private static ScheduleStore schedules(JobReader store) {
        return store.capability(ScheduleStore.class).orElseThrow();
    }

    @Override
    Optional<String> unfinished(JobReader store) {
        return ALL.stream().map(Schedule::name)
                .filter(name -> schedules(store).schedule(name).filter(each -> each.state() == ScheduleState.ENDED)
                        .isEmpty())
                .findFirst().map(name -> "schedule " + name + " has not ended");
    }

    @Override
    List<String> wrongAtEnd(Evidence evidence) {
        List<String> wrong = new ArrayList<>();
        List<Job> jobs = evidence.observer().list(JobQuery.all().type(RUN).limit(1_000));
        for (Schedule schedule : ALL) {
            List<ScheduleRun> runs = schedules(evidence.observer()).runs(schedule.name(), 1_000);
            List<Job> made = jobs.stream().filter(job -> nameOf(job).equals(schedule.name())).toList();
            long named = runs.stream().filter(run -> run.job() != null).count();
            if (made.size() != RUNS || named != RUNS) {
                wrong.add("schedule " + schedule.name() + " has " + named + " runs with jobs, and there are "
                        + made.size() + " jobs instead of " + RUNS);
            }
            if (made.stream().map(job -> job.spec().headers().get(Schedule.TIME_HEADER)).distinct().count() != made
                    .size()) {
                wrong.add("schedule " + schedule.name() + " has two jobs for one time");
            }
            if (schedule == EVERY_TIME && !isWithoutGaps(runs)) {
                wrong.add("schedule " + schedule.name() + " has left out a time: " + runs);
            }
        }
        jobs.stream().filter(job -> job.reason().orElse("").contains("runs beside"))
                .forEach(job -> wrong.add("job number " + job.seq() + " of a schedule " + job.reason().orElse("")));
        return wrong;
    }

    private static boolean isWithoutGaps(List<ScheduleRun> latestFirst) {
        Instant expected = latestFirst.getFirst().time();
        for (ScheduleRun run : latestFirst) {
            if (!run.time().equals(expected)) {
                return false;
            }
            expected = expected.minus(EVERY);
        }
        return true;
    }
}
