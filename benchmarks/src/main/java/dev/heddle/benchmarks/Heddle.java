package dev.heddle.benchmarks;

import java.nio.file.Path;
import java.util.stream.IntStream;

import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;

/** Heddle on SQLite as it ships, but for the numbers given. */
record Heddle(int workers, int claimAhead) implements Contender {

    private static final JobType<Integer, Void> NO_OP = JobType.of("no-op", Integer.class, Void.class);

    @Override
    public Card card() {
        int inFlight = workers + claimAhead;
        return new Card("heddle/sqlite@" + inFlight, "Heddle", "SQLite", Integer.toString(workers),
                Integer.toString(inFlight), "WAL, synchronous=FULL, claimAhead " + claimAhead, false, true);
    }

    @Override
    public Session open(Path directory, Aim aim, Probe probe) {
        Pool pool = Pool.on(SqliteStore.at(directory.resolve("jobs.db"))).workers(workers)
                .claimAhead(claimAhead)
                .handle(NO_OP, (number, job) -> {
                    probe.started(number);
                    probe.ended(number);
                    return null;
                }).open();
        pool.pauseQueue(JobRequest.DEFAULT_QUEUE);
        return new Running(pool);
    }

    private record Running(Pool pool) implements Session {

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
            pool.resumeQueue(JobRequest.DEFAULT_QUEUE);
        }

        @Override
        public long unfinished() {
            return pool.tally().count(line -> true);
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
