package dev.heddle.benchmarks.contender;

import java.util.Locale;
import java.util.stream.IntStream;

import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;

/** Heddle with default settings, except for the given numbers. */
record Heddle(Database database, int workers, int claimAhead) implements Contender {

    private static final JobType<Integer, Void> NO_OP = JobType.of("no-op", Integer.class, Void.class);

    @Override
    public ContenderInfo card() {
        int inFlight = workers + claimAhead;
        return new ContenderInfo("heddle/" + database.name().toLowerCase(Locale.ROOT) + "@" + inFlight, "Heddle",
                database.label, Integer.toString(workers), Integer.toString(inFlight),
                "claimAhead " + claimAhead + "; " + database.settings, false, true);
    }

    /** Returns 5, because 20,000 jobs would end before connections, query plans and compiled code are warm. */
    @Override
    public double share() {
        return 5;
    }

    /** A paused queue keeps processing switched off. */
    @Override
    public void prepare(StoreLocation place) {
        try (Pool pool = Pool.on(HeddleStores.at(database, place)).open()) {
            pool.admin().pauseQueue(JobRequest.DEFAULT_QUEUE);
        }
    }

    @Override
    public ContenderSession open(StoreLocation place, Aim aim, Probe probe) {
        PoolBuilder builder = Pool.on(HeddleStores.at(database, place)).workers(workers).claimAhead(claimAhead);
        if (aim != Aim.SUBMITTING) {
            builder.register(NO_OP, (number, job) -> {
                probe.started(number);
                probe.ended(number);
                return null;
            });
        }
        return new Running(builder.open());
    }

    private record Running(Pool pool) implements ContenderSession {

        @Override
        public void submit(int number) {
            pool.submit(NO_OP, number);
        }

        @Override
        public void submitAll(int first, int count) {
            pool.submitAll(IntStream.range(first, first + count).mapToObj(NO_OP::with).toList());
        }

        @Override
        public void startProcessing() {
            pool.admin().resumeQueue(JobRequest.DEFAULT_QUEUE);
        }

        @Override
        public long unfinished() {
            return pool.admin().countJobs().count(line -> true);
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
