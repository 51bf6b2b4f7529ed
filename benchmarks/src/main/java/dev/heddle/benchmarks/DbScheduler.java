package dev.heddle.benchmarks;

import java.nio.file.Path;
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
 * db-scheduler. It takes candidates from the table, then locks each in an update of its own and deletes it in
 * another when it is done. Lock-and-fetch, its faster strategy, is refused on SQLite and H2.
 *
 * @param connections of the pool
 * @param batch how many candidates a query takes, in multiples of the threads
 */
record DbScheduler(Database database, int threads, int connections, double batch, boolean oneTransaction)
        implements
            Contender {

    /** Candidates are asked for again when no more than this share of the threads has one left. */
    private static final double LOWER_LIMIT = 0.5;

    @Override
    public Card card() {
        String settings = "pollUsingFetch(%s, %s), Hikari with %d, %s; latency: immediate execution, 10 ms poll; %s"
                .formatted(LOWER_LIMIT, batch, connections,
                        oneTransaction ? "batches in one transaction" : "auto-commit, as people set it up",
                        database.settings);
        return new Card(
                "db-scheduler/" + database.label.toLowerCase(Locale.ROOT)
                        + (oneTransaction ? "" : "-auto-commit"),
                "db-scheduler " + Resources.version("db-scheduler"), database.label, threads + " threads",
                Integer.toString(threads), settings, true, database.durable);
    }

    @Override
    public Session open(Path directory, Aim aim, Probe probe) throws SQLException {
        return new Open(directory, aim, probe);
    }

    private final class Open implements Session {

        private final HikariDataSource source;
        private final HikariDataSource bulkSource;
        private final StoreCount unfinished;
        private final OneTimeTask<Void> task;
        private final Scheduler scheduler;
        private final Scheduler bulk;

        Open(Path directory, Aim aim, Probe probe) throws SQLException {
            source = database.pooled(directory, connections, true);
            Database.run(Resources.text("db-scheduler-" + database.name().toLowerCase(Locale.ROOT) + ".sql"),
                    source);
            // For the bulk submitter, which is never started: a batch is to be one transaction.
            bulkSource = database.pooled(directory, 1, false);
            unfinished = new StoreCount(database.plain(directory), "SELECT count(*) FROM scheduled_tasks");
            task = Tasks.oneTime("no-op").execute((instance, context) -> {
                int number = Integer.parseInt(instance.getId());
                probe.started(number);
                probe.ended(number);
            });
            SchedulerBuilder builder = Scheduler.create(source, task).threads(threads)
                    .pollUsingFetch(LOWER_LIMIT, batch);
            scheduler = switch (aim) {
                // A poll makes what is queued stale; while there is work, the end of a batch asks for the next.
                case THROUGHPUT -> builder.pollingInterval(Duration.ofSeconds(1)).build();
                case LATENCY ->
                    builder.enableImmediateExecution().pollingInterval(Duration.ofMillis(10)).build();
            };
            bulk = oneTransaction
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
            if (oneTransaction) {
                bulk.stop();
            }
            unfinished.close();
            bulkSource.close();
            source.close();
        }
    }
}
