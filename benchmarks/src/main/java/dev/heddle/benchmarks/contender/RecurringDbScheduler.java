package dev.heddle.benchmarks.contender;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.Schedules;
import com.zaxxer.hikari.HikariDataSource;

/** The recurring tasks of db-scheduler, with the settings of {@link DbScheduler} and the poll it has for latency. */
final class RecurringDbScheduler implements RecurringContender {

    private static final Duration POLL = Duration.ofMillis(10);

    @Override
    public String name() {
        return "db-scheduler " + Resources.version("db-scheduler") + ", " + POLL.toMillis() + " ms poll";
    }

    @Override
    public AutoCloseable start(Database database, StoreLocation place, int jobs, String cron, Runnable fired)
            throws Exception {
        boolean postgres = database == Database.POSTGRES;
        Contenders.named(postgres ? "db-scheduler/postgres" : "db-scheduler/sqlite", OptionalInt.empty())
                .prepare(place);
        HikariDataSource source = database.pooled(place, postgres ? 20 : 1, true);
        List<RecurringTask<Void>> tasks = IntStream.range(0, jobs).mapToObj(i -> Tasks
                .recurring("tick-" + i, Schedules.cron(cron)).execute((_, _) -> fired.run())).toList();
        SchedulerBuilder builder = Scheduler.create(source).startTasks(tasks).threads(postgres ? 50 : 8)
                .pollingInterval(POLL);
        if (postgres) {
            builder.pollUsingLockAndFetch(0.5, 4.0);
        } else {
            builder.pollUsingFetch(0.5, 3.0);
        }
        Scheduler scheduler = builder.build();
        scheduler.start();
        return () -> {
            scheduler.stop();
            source.close();
        };
    }
}
