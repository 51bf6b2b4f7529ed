package dev.heddle.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Affinity;
import dev.heddle.job.Children;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.simulation.Story.Execution;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;

/** The workloads of the features that every job can use. */
final class Workloads {

    private Workloads() {}

    static JobType<Integer, String> named(String name) {
        return JobType.of(name, Integer.class, String.class);
    }

    /** Takes a while and completes. */
    static class Echo extends Workload {
        Echo() {
            this(named("echo"));
        }

        Echo(JobType<Integer, String> type) {
            super(type);
        }

        @Override
        @Nullable String handle(HandlerCall call) {
            call.sleep(37);
            return "ok";
        }
    }

    /** Fails at first, or for good. */
    static final class Flaky extends Echo {
        Flaky() {
            super(named("flaky"));
        }

        @Override
        @Nullable String handle(HandlerCall call) {
            if (fails(call.behavior())) {
                throw JobException.permanent("never");
            }
            if (call.job().attempt() <= call.behavior() % 4) {
                throw JobException.transientFailure("not yet");
            }
            return super.handle(call);
        }

        private static boolean fails(int behavior) {
            return behavior % 4 == 3;
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
            Job job = details.job();
            JobState expected = fails(story.behavior()) ? JobState.FAILED : JobState.COMPLETED;
            return job.state() == expected || isExcused(story, job, evidence) ? Optional.empty() : ended(job);
        }
    }

    /** Must not start early. */
    static final class Delayed extends Echo {
        Delayed() {
            super(named("delayed"));
        }

        @Override
        JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
            return request.delay(delay(behavior));
        }

        private static Duration delay(int behavior) {
            return Duration.ofSeconds(behavior % 20);
        }

        /** Nobody notices that a clock was set while no node ran, or right before one died. */
        private static boolean mayBeEarly(Evidence evidence) {
            return evidence.mayMisjudgeTime() && evidence.isSingle()
                    && (evidence.mayLoseNodes() || evidence.mayClose());
        }

        /** Stores keep milliseconds, so a job may be due by as much earlier. */
        @Override
        Optional<String> wrongSoFar(Story story, Evidence evidence) {
            long soonest = story.submittedAt() + delay(story.behavior()).minusMillis(1).toNanos();
            boolean hasOtherTime = story.wasOrdered(Order.RUN_NOW) || story.wasOrdered(Order.RESCHEDULE);
            return !hasOtherTime && !mayBeEarly(evidence)
                    && story.executions().stream().anyMatch(each -> each.startedAt() < soonest)
                            ? Optional.of("starts before its delay is over") : Optional.empty();
        }
    }

    /** Each step is committed once. */
    static final class Steps extends Workload {
        Steps() {
            super(named("steps"));
        }

        @Override
        @Nullable String handle(HandlerCall call) throws Exception {
            for (int number = 1; number <= 3; number++) {
                String name = "step " + number;
                String result = call.job().step(name, String.class, () -> {
                    call.tell(new Report.StepRan(name));
                    call.sleep(23);
                    return name;
                });
                call.tell(name.equals(result) ? new Report.StepCommitted(name)
                        : new Report.Wrong(name + " has the result " + result));
            }
            return "ok";
        }
    }

    /** No checkpoint that was saved is ever lost. */
    static final class Checkpoints extends Workload {
        Checkpoints() {
            super(named("checkpoints"));
        }

        @Override
        @Nullable String handle(HandlerCall call) {
            int from = call.job().checkpoint(Integer.class).orElse(0);
            call.tell(new Report.CheckpointLoaded(from));
            for (int next = from + 1; next <= 4; next++) {
                call.sleep(19);
                call.job().saveCheckpoint(next);
                call.tell(new Report.CheckpointSaved(next));
            }
            return "ok";
        }
    }

    /** Not idempotent: does not run again unless the engine has seen its handler end. */
    static final class Once extends Echo {
        Once() {
            super(named("once").nonIdempotent());
        }

        @Override
        Optional<String> wrongSoFar(Story story, Evidence evidence) {
            List<Execution> executions = story.executions();
            return story.wasOrdered(Order.RETRY)
                    || executions.stream().limit(Math.max(0, executions.size() - 1)).allMatch(Execution::hasEnded)
                            ? Optional.empty() : Optional.of("is not idempotent and runs again after a death");
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
            Job job = details.job();
            // The start is committed first, so the node may have died before the handler began.
            boolean unknown = job.state() == JobState.FAILED && job.reason().orElse("").startsWith("orphaned");
            return unknown ? Optional.empty() : super.wrong(story, details, evidence);
        }
    }

    /** Takes longer than it may. */
    static final class TimesOut extends Workload {
        TimesOut() {
            super(named("timeout").timeout(Duration.ofSeconds(2)));
        }

        @Override
        @Nullable String handle(HandlerCall call) {
            call.job().sleep(Duration.ofMinutes(10));
            return "too late";
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
            Job job = details.job();
            return job.state() == JobState.FAILED || isExcused(story, job, evidence) ? Optional.empty()
                    : Optional.of("ended as " + job.state() + ", although it takes too long");
        }
    }

    /** Has children, and ends after them. */
    static final class Family extends Workload {
        private static final JobType<Integer, String> CHILD = named("child");

        Family() {
            super(named("family"));
        }

        @Override
        @Nullable String handle(HandlerCall call) {
            throw new IllegalStateException("it has two phases");
        }

        private static int size(int behavior) {
            return behavior % 4;
        }

        @Override
        void register(PoolBuilder pool, Host host) {
            pool.register(CHILD, (behavior, job) -> {
                job.sleep(Duration.ofMillis(behavior * 11L));
                return "child";
            });
            pool.register(type(), new TwoPhaseHandler<Integer, String>() {
                @Override
                public void ingest(Integer behavior, JobContext job) throws Exception {
                    new HandlerCall(host, job, behavior).watched(Family::spawn);
                }

                @Override
                public @Nullable String aggregate(Integer behavior, Children children, JobContext job)
                        throws Exception {
                    return new HandlerCall(host, job, behavior).watched(Family::count);
                }
            });
        }

        private static @Nullable String spawn(HandlerCall call) {
            call.sleep(13);
            for (int i = 0; i < size(call.behavior()); i++) {
                call.job().spawn(CHILD.with(call.behavior()).id(JobId.next(call.host().env())));
            }
            return null;
        }

        private static String count(HandlerCall call) {
            List<Job> children = call.host().observer().list(JobQuery.all().parent(call.job().id()));
            long unfinished = children.stream().filter(child -> !child.state().isFinal()).count();
            call.tell(new Report.Aggregated(children.size(), (int) unfinished));
            return "ok";
        }

        @Override
        Optional<String> wrongSoFar(Story story, Evidence evidence) {
            return story.reports().map(Report::event).filter(Report.Aggregated.class::isInstance)
                    .map(Report.Aggregated.class::cast)
                    .filter(found -> found.children() != size(story.behavior()) || found.unfinished() > 0)
                    .map(found -> "aggregates " + found.children() + " children instead of " + size(story.behavior())
                            + ", of which " + found.unfinished() + " have not ended")
                    .findFirst();
        }
    }

    /** Of the jobs with one key, at most one has not ended. */
    static final class Dedupe extends Echo {
        private static final int KEYS = 3;

        Dedupe() {
            super(named("dedupe"));
        }

        @Override
        JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
            return request.dedupeKey("key " + behavior % KEYS);
        }

        @Override
        Optional<String> wrongNow(Story changed, Evidence evidence) {
            int key = changed.behavior() % KEYS;
            long live = evidence.stories().all().stream()
                    .filter(story -> story.workload() == this && story.behavior() % KEYS == key)
                    .flatMap(story -> evidence.observer().find(story.id()).stream())
                    .filter(job -> !job.state().isFinal()).count();
            return live > 1 ? Optional.of(live + " jobs with the dedupe key " + key + " have not ended")
                    : Optional.empty();
        }
    }

    /** Of the jobs that nobody has claimed yet, those with the highest priority are claimed first, oldest first. */
    static final class Prioritized extends Echo {
        Prioritized() {
            super(named("prioritized"));
        }

        @Override
        JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
            return request.priority(behavior % 3 - 1);
        }

        @Override
        Optional<String> wrongNow(Story changed, Evidence evidence) {
            Job job = evidence.observer().find(changed.id()).orElse(null);
            if (job == null || job.state() != JobState.ASSIGNED || job.counts().attempt() != 1) {
                return Optional.empty();
            }
            return evidence.observer().list(JobQuery.all().type(type()).states(JobState.QUEUED)).stream()
                    .filter(waiting -> waiting.counts().attempt() == 0 && comesBefore(waiting, job)).findFirst()
                    .map(waiting -> "was claimed before job number " + waiting.seq() + ", which has priority "
                            + waiting.spec().priority());
        }

        private static boolean comesBefore(Job one, Job other) {
            return one.spec().priority() > other.spec().priority()
                    || (one.spec().priority() == other.spec().priority() && one.seq() < other.seq());
        }
    }

    /** Is followed by one other job. */
    static final class Followed extends Echo {
        private static final JobType<Integer, String> NEXT = named("next");

        Followed() {
            super(named("followed"));
        }

        @Override
        void register(PoolBuilder pool, Host host) {
            super.register(pool, host);
            pool.register(NEXT, (_, _) -> "next");
            pool.then(type(), ended -> List
                    .of(NEXT.with(1).id(JobId.next(host.env())).subject(ended.id().toString())));
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
            int followers = evidence.observer().list(JobQuery.all().subject(story.id().toString())).size();
            // A dead letter is followed, too, so one that is retried has more.
            boolean right = followers == 1 || (followers > 1 && story.wasOrdered(Order.RETRY));
            return details.job().state() == JobState.COMPLETED && !right
                    ? Optional.of("is followed by " + followers + " jobs") : super.wrong(story, details, evidence);
        }
    }

    /** Runs on the worker that has its session, or is lost with it. */
    static final class InSession extends Echo {
        InSession() {
            super(named("session").affinity(Affinity.STRICT_QUEUE));
        }

        @Override
        JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
            return request.session("session " + behavior % 3);
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
            boolean lost = details.job().state() == JobState.FAILED
                    && details.job().reason().orElse("").contains("Session");
            return lost ? Optional.empty() : super.wrong(story, details, evidence);
        }
    }

    /** Kills its node. */
    static final class Killer extends Workload {
        Killer() {
            super(named("killer"));
        }

        @Override
        @Nullable String handle(HandlerCall call) {
            call.sleep(7);
            call.host().die();
            call.job().sleep(Duration.ofDays(1));
            return null;
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details, Evidence evidence) {
            Job job = details.job();
            return isBlamed(job) || isExcused(story, job, evidence) ? Optional.empty()
                    : Optional.of("ended as " + job.state() + ", although it kills its node");
        }
    }
}
