package dev.heddle.benchmarks.contender;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;

/**
 * db-scheduler. On PostgreSQL it locks and fetches a batch in one statement. On SQLite and H2, where it does not
 * support that, it reads candidates and locks each with a separate update. It deletes a job when the job is done.
 *
 * @param connections size of the connection pool
 * @param batch the most jobs or candidates of a query, in multiples of the threads
 * @param tunedBulk whether a bulk submit is one transaction, and on PostgreSQL rewritten by the driver into few
 *     statements
 */
record DbScheduler(Database database, int threads, int connections, double batch,
        boolean tunedBulk) implements Contender {

    /** Fetches more candidates when no more than this share of the threads has one left. */
    private static final double LOWER_LIMIT = 0.5;

    @Override
    public ContenderInfo card() {
        String settings = "%s(%s, %s), Hikari with %d, %s; latency: immediate execution, 10 ms poll; %s".formatted(
                locksAndFetches() ? "pollUsingLockAndFetch" : "pollUsingFetch", LOWER_LIMIT, batch, connections,
                tunedBulk ? tuning() : "auto-commit, as people set it up", database.settings);
        return new ContenderInfo(
                "db-scheduler/" + database.name().toLowerCase(Locale.ROOT) + (tunedBulk ? "" : "-auto-commit"),
                "db-scheduler " + Resources.version("db-scheduler"), database.label, threads + " threads",
                Long.toString(locksAndFetches() ? Math.round(threads * batch) : threads), settings, true,
                database.durable);
    }

    private boolean locksAndFetches() {
        return database == Database.POSTGRES;
    }

    private String tuning() {
        return "batches in one transaction" + (database == Database.POSTGRES ? " with reWriteBatchedInserts" : "");
    }

    @Override
    public void prepare(StoreLocation place) throws SQLException {
        Database.run(Resources.text("db-scheduler-" + database.name().toLowerCase(Locale.ROOT) + ".sql"),
                database.plain(place));
    }

    @Override
    public ContenderSession open(StoreLocation place, Aim aim, Probe probe) throws SQLException {
        return new Open(place, aim, probe);
    }

    private final class Open implements ContenderSession {

        private final HikariDataSource source;
        private final HikariDataSource bulkSource;
        private final RowCounter unfinished;
        private final OneTimeTask<Void> task;
        private final Scheduler scheduler;
        private final Scheduler bulk;

        Open(StoreLocation place, Aim aim, Probe probe) throws SQLException {
            source = database.pooled(place, aim.connections(connections), true);
            // The bulk submitter is never started.
            bulkSource = database.pooled(database == Database.POSTGRES ? place.rewritingBatches() : place, 1, false);
            unfinished = new RowCounter(database.plain(place), "SELECT count(*) FROM scheduled_tasks");
            task = Tasks.oneTime("no-op").execute((instance, context) -> {
                int number = Integer.parseInt(instance.getId());
                probe.started(number);
                probe.ended(number);
            });
            SchedulerBuilder builder = Scheduler.create(source, task).threads(threads);
            if (locksAndFetches()) {
                builder.pollUsingLockAndFetch(LOWER_LIMIT, batch);
            } else {
                builder.pollUsingFetch(LOWER_LIMIT, batch);
            }
            scheduler = switch (aim) {
                // A poll invalidates queued candidates. While there is work, the end of a batch triggers the next
                // fetch.
                case THROUGHPUT, SUBMITTING -> builder.pollingInterval(Duration.ofSeconds(1)).build();
                case LATENCY -> builder.enableImmediateExecution().pollingInterval(Duration.ofMillis(10)).build();
            };
            bulk = tunedBulk ? Scheduler.create(bulkSource, task).threads(1).commitWhenAutocommitDisabled(true).build()
                    : scheduler;
        }

        @Override
        public void submit(int number) {
            scheduler.schedule(task.instance(Integer.toString(number)), Instant.now());
        }

        @Override
        public void submitAll(int first, int count) {
            Stream<TaskInstance<?>> instances = IntStream.range(first, first + count)
                    .mapToObj(number -> task.instance(Integer.toString(number)));
            bulk.scheduleBatch(instances, Instant.now());
        }

        @Override
        public void startProcessing() {
            scheduler.start();
        }

        @Override
        public long unfinished() {
            return unfinished.get();
        }

        @Override
        public void close() {
            scheduler.stop();
            if (tunedBulk) {
                bulk.stop();
            }
            unfinished.close();
            bulkSource.close();
            source.close();
        }
    }
}
