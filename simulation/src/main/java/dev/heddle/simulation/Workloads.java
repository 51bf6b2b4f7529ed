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
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;

/** The workloads of the features that there are. */
final class Workloads {

    private Workloads() {}

    private static JobType<Integer, String> named(String name) {
        return JobType.of(name, Integer.class, String.class);
    }

    /** Takes a while and completes. */
    static class Echo extends Workload {
        Echo(World world) {
            this(world, named("echo"));
        }

        Echo(World world, JobType<Integer, String> type) {
            super(world, type);
        }

        @Override
        @Nullable String handle(Story story, JobContext job) {
            job.sleep(Duration.ofMillis(story.behavior * 37L));
            return "ok";
        }
    }

    /** Fails at first, or for good. */
    static final class Flaky extends Echo {
        Flaky(World world) {
            super(world, named("flaky"));
        }

        @Override
        @Nullable String handle(Story story, JobContext job) {
            if (story.behavior % 4 == 3) {
                throw JobException.permanent("never");
            }
            if (story.executions.size() <= story.behavior % 4) {
                throw JobException.transientFailure("not yet");
            }
            return super.handle(story, job);
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details) {
            Job job = details.job();
            boolean fails = story.behavior % 4 == 3;
            return job.state() == (fails ? JobState.FAILED : JobState.COMPLETED) || isExcused(story, job)
                    ? Optional.empty() : Optional.of("ended as " + job.state() + ": " + job.reason().orElse(""));
        }
    }

    /** Must not start early. */
    static final class Delayed extends Echo {
        Delayed(World world) {
            super(world, named("delayed"));
        }

        @Override
        JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
            return request.delay(Duration.ofSeconds(behavior % 20));
        }
    }

    /** Each step is committed once. */
    static final class Steps extends Workload {
        Steps(World world) {
            super(world, named("steps"));
        }

        @Override
        @Nullable String handle(Story story, JobContext job) throws Exception {
            for (int number = 1; number <= 3; number++) {
                String name = "step " + number;
                String result = job.step(name, String.class, () -> {
                    if (story.steps.contains(name) && world.isCurrent(job)) {
                        world.violated(name + " of job " + story.id + " was committed and runs again");
                    }
                    job.sleep(Duration.ofMillis(story.behavior * 23L));
                    return name;
                });
                if (!name.equals(result)) {
                    world.violated(name + " of job " + story.id + " has the result " + result);
                }
                story.steps.add(name);
            }
            return "ok";
        }
    }

    /** No checkpoint that was saved is ever lost. */
    static final class Checkpoints extends Workload {
        Checkpoints(World world) {
            super(world, named("checkpoints"));
        }

        @Override
        @Nullable String handle(Story story, JobContext job) {
            int from = job.checkpoint(Integer.class).orElse(0);
            if (from < story.checkpoint && world.isCurrent(job)) {
                world.violated("job " + story.id + " saved checkpoint " + story.checkpoint + " and got " + from);
            }
            for (int next = from + 1; next <= 4; next++) {
                job.sleep(Duration.ofMillis(story.behavior * 19L));
                job.saveCheckpoint(next);
                story.checkpoint = Math.max(story.checkpoint, next);
            }
            return "ok";
        }
    }

    /** Not idempotent: does not run again unless the engine has seen its handler end. */
    static final class Once extends Echo {
        Once(World world) {
            super(world, named("once").nonIdempotent());
        }

        @Override
        @Nullable String handle(Story story, JobContext job) {
            if (story.executions.stream().limit(story.executions.size() - 1L).anyMatch(before -> !before.ended)) {
                world.violated("job " + story.id + " is not idempotent and runs again after a death");
            }
            return super.handle(story, job);
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details) {
            Job job = details.job();
            // The start is committed first, so the node may have died before the handler began.
            boolean unknown = job.state() == JobState.FAILED && job.reason().orElse("").startsWith("orphaned");
            return job.state() == JobState.COMPLETED || unknown || isExcused(story, job) ? Optional.empty()
                    : Optional.of("ended as " + job.state() + ": " + job.reason().orElse(""));
        }
    }

    /** Takes longer than it may. */
    static final class TimesOut extends Workload {
        TimesOut(World world) {
            super(world, named("timeout").timeout(Duration.ofSeconds(2)));
        }

        @Override
        @Nullable String handle(Story story, JobContext job) {
            job.sleep(Duration.ofMinutes(10));
            return "too late";
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details) {
            Job job = details.job();
            return job.state() == JobState.FAILED || isExcused(story, job) ? Optional.empty()
                    : Optional.of("ended as " + job.state() + ", although it takes too long");
        }
    }

    /** Has children, and ends after them. */
    static final class Family extends Workload {
        private static final JobType<Integer, String> CHILD = named("child");

        Family(World world) {
            super(world, named("family"));
        }

        @Override
        @Nullable String handle(Story story, JobContext job) {
            throw new IllegalStateException("it has two phases");
        }

        private static int size(Story story) {
            return story.behavior % 4;
        }

        @Override
        void register(PoolBuilder pool, SimulatedNode node) {
            pool.register(CHILD, (behavior, job) -> {
                job.sleep(Duration.ofMillis(behavior * 11L));
                return "child";
            });
            pool.register(type(), new TwoPhaseHandler<Integer, String>() {
                @Override
                public void ingest(Integer payload, JobContext job) throws Exception {
                    world.watched(job, node, (story, _) -> {
                        for (int i = 0; i < size(story); i++) {
                            job.spawn(CHILD.with(story.behavior).id(JobId.next(node.env())));
                        }
                        return null;
                    });
                }

                @Override
                public @Nullable String aggregate(Integer payload, Children children, JobContext job)
                        throws Exception {
                    return world.watched(job, node, (story, _) -> {
                        checkChildren(story, world.observer().list(JobQuery.all().parent(job.id()).limit(100)));
                        return "ok";
                    });
                }
            });
        }

        private void checkChildren(Story story, List<Job> children) {
            if (children.size() != size(story)) {
                world.violated("job " + story.id + " has " + children.size() + " children instead of " + size(story));
            }
            children.stream().filter(child -> !child.state().isFinal()).forEach(child -> world
                    .violated("job " + story.id + " aggregates before its child " + child.id() + " has ended"));
        }
    }

    /** Of the jobs with one key, at most one has not ended. */
    static final class Dedupe extends Echo {
        private static final int KEYS = 3;

        Dedupe(World world) {
            super(world, named("dedupe"));
        }

        @Override
        JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
            return request.dedupeKey("key " + behavior % KEYS);
        }

        @Override
        void check() {
            for (int key = 0; key < KEYS; key++) {
                int wanted = key;
                long live = world.stories().stream()
                        .filter(story -> story.workload == this && story.behavior % KEYS == wanted)
                        .flatMap(story -> world.observer().find(story.id).stream())
                        .filter(job -> !job.state().isFinal()).count();
                if (live > 1) {
                    world.violated(live + " jobs with the dedupe key " + key + " have not ended");
                }
            }
        }
    }

    /** Is followed by one other job. */
    static final class Followed extends Echo {
        private static final JobType<Integer, String> NEXT = named("next");

        Followed(World world) {
            super(world, named("followed"));
        }

        @Override
        void register(PoolBuilder pool, SimulatedNode node) {
            super.register(pool, node);
            pool.register(NEXT, (_, _) -> "next");
            pool.then(type(), ended -> List
                    .of(NEXT.with(1).id(JobId.next(node.env())).subject(ended.id().toString())));
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details) {
            int followers = world.observer().list(JobQuery.all().subject(story.id.toString())).size();
            return details.job().state() == JobState.COMPLETED && followers != 1
                    ? Optional.of("is followed by " + followers + " jobs") : super.wrong(story, details);
        }
    }

    /** Runs on the worker that has its session, or is lost with it. */
    static final class InSession extends Echo {
        InSession(World world) {
            super(world, named("session").affinity(Affinity.STRICT_QUEUE));
        }

        @Override
        JobRequest<Integer, String> with(JobRequest<Integer, String> request, int behavior) {
            return request.session("session " + behavior % 3);
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details) {
            boolean lost = details.job().state() == JobState.FAILED
                    && details.job().reason().orElse("").contains("Session");
            return lost ? Optional.empty() : super.wrong(story, details);
        }
    }

    /** Kills its node. */
    static final class Killer extends Workload {
        Killer(World world) {
            super(world, named("killer"));
        }

        @Override
        @Nullable String handle(Story story, JobContext job) {
            job.sleep(Duration.ofMillis(story.behavior * 7L));
            world.crash(story.executions.getLast().node);
            job.sleep(Duration.ofDays(1));
            return null;
        }

        @Override
        Optional<String> wrong(Story story, JobDetails details) {
            Job job = details.job();
            return isExcused(story, job) ? Optional.empty()
                    : Optional.of("ended as " + job.state() + ", although it kills its node");
        }
    }
}
