package dev.heddle.benchmarks;

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
 * db-scheduler. On PostgreSQL it locks a batch and fetches it in one statement, which it refuses on SQLite and H2: there
 * it takes candidates from the table and locks each in an update of its own. Either way it deletes each when it is
 * done.
 *
 * @param connections of the pool
 * @param batch how many jobs or candidates a query takes at most, in multiples of the threads
 * @param tunedBulk whether a batch to submit is one transaction, and on PostgreSQL one statement as far as the driver can
 */
record DbScheduler(Database database, int threads, int connections, double batch, boolean tunedBulk)
        implements
            Contender {

    /** Candidates are asked for again when no more than this share of the threads has one left. */
    private static final double LOWER_LIMIT = 0.5;

    @Override
    public Card card() {
        String settings = "%s(%s, %s), Hikari with %d, %s; latency: immediate execution, 10 ms poll; %s"
                .formatted(locksAndFetches() ? "pollUsingLockAndFetch" : "pollUsingFetch", LOWER_LIMIT, batch,
                        connections, tunedBulk ? tuning() : "auto-commit, as people set it up",
                        database.settings);
        return new Card(
                "db-scheduler/" + database.name().toLowerCase(Locale.ROOT)
                        + (tunedBulk ? "" : "-auto-commit"),
                "db-scheduler " + Resources.version("db-scheduler"), database.label, threads + " threads",
                Long.toString(locksAndFetches() ? Math.round(threads * batch) : threads), settings, true,
                database.durable);
    }

    private boolean locksAndFetches() {
        return database == Database.POSTGRES;
    }

    private String tuning() {
        return "batches in one transaction"
                + (database == Database.POSTGRES ? " with reWriteBatchedInserts" : "");
    }

    @Override
    public void prepare(Place place) throws SQLException {
        Database.run(Resources.text("db-scheduler-" + database.name().toLowerCase(Locale.ROOT) + ".sql"),
                database.plain(place));
    }

    @Override
    public Session open(Place place, Aim aim, Probe probe) throws SQLException {
        return new Open(place, aim, probe);
    }

    private final class Open implements Session {

        private final HikariDataSource source;
        private final HikariDataSource bulkSource;
        private final StoreCount unfinished;
        private final OneTimeTask<Void> task;
        private final Scheduler scheduler;
        private final Scheduler bulk;

        Open(Place place, Aim aim, Probe probe) throws SQLException {
            source = database.pooled(place, aim.connections(connections), true);
            // For the bulk submitter, which is never started.
            bulkSource = database.pooled(
                    database == Database.POSTGRES ? place.rewritingBatches() : place, 1, false);
            unfinished = new StoreCount(database.plain(place), "SELECT count(*) FROM scheduled_tasks");
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
                // A poll makes what is queued stale; while there is work, the end of a batch asks for the next.
                case THROUGHPUT, SUBMITTING -> builder.pollingInterval(Duration.ofSeconds(1)).build();
                case LATENCY ->
                    builder.enableImmediateExecution().pollingInterval(Duration.ofMillis(10)).build();
            };
            bulk = tunedBulk
                    ? Scheduler.create(bulkSource, task).threads(1).commitWhenAutocommitDisabled(true).build()
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
