package dev.heddle.benchmarks.contender;

import java.util.stream.IntStream;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.Schedule;

/** Heddle with its default settings, apart from the workers. */
final class RecurringHeddle implements RecurringContender {

    private static final JobType<Void, Void> TICK = JobType.of("tick");
    private static final int WORKERS = 4;

    @Override
    public String name() {
        return "Heddle, " + WORKERS + " workers";
    }

    @Override
    public AutoCloseable start(Database database, StoreLocation place, int jobs, String cron, Runnable fired) {
        Pool pool = Pool.on(HeddleStores.at(database, place)).workers(WORKERS).registerVoid(TICK, (_, _) -> fired.run())
                .open();
        IntStream.range(0, jobs).forEach(i -> pool.schedules()
                .put(Schedule.of("tick-" + i, cron, TICK.withoutPayload()).overlap(Overlap.ALLOW)));
        return pool;
    }
}
