package dev.heddle.benchmarks;

import java.util.Locale;
import java.util.stream.IntStream;

import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;

/** Heddle as it ships, but for the numbers given. */
record Heddle(Database database, int workers, int claimAhead) implements Contender {

    private static final JobType<Integer, Void> NO_OP = JobType.of("no-op", Integer.class, Void.class);

    @Override
    public Card card() {
        int inFlight = workers + claimAhead;
        return new Card("heddle/" + database.name().toLowerCase(Locale.ROOT) + "@" + inFlight, "Heddle",
                database.label, Integer.toString(workers), Integer.toString(inFlight),
                "claimAhead " + claimAhead + "; " + database.settings, false, true);
    }

    /** 20,000 would be over before the connections, the plans and the compiler are warm. */
    @Override
    public double share() {
        return 5;
    }

    /** Processing is off while the queue is paused. */
    @Override
    public void prepare(Place place) {
        try (Pool pool = Pool.on(HeddleStores.at(database, place)).open()) {
            pool.pauseQueue(JobRequest.DEFAULT_QUEUE);
        }
    }

    @Override
    public Session open(Place place, Aim aim, Probe probe) {
        PoolBuilder builder = Pool.on(HeddleStores.at(database, place)).workers(workers)
                .claimAhead(claimAhead);
        if (aim != Aim.SUBMITTING) {
            builder.handle(NO_OP, (number, job) -> {
                probe.started(number);
                probe.ended(number);
                return null;
            });
        }
        return new Running(builder.open());
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
