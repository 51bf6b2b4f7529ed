package dev.heddle.benchmarks.contender;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.DBOSClient;
import dev.dbos.transact.DBOSClient.EnqueueOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.migrations.MigrationManager;
import dev.dbos.transact.workflow.Queue;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowClassName;

/**
 * DBOS Transact: durable workflows on a queue; a job is a workflow without steps. Each poll claims as many workflows as
 * may still run, in one transaction; each completion is a separate transaction. It has no bulk call, so eight threads
 * submit a bulk.
 *
 * @param concurrency workflows that one process runs at once
 * @param connections size of the connection pool
 */
record Dbos(int concurrency, int connections) implements Contender {

    private static final String QUEUE = "benchmark";
    private static final String NO_OP = "no-op";
    private static final int BULK_THREADS = 8;
    private static final Duration POLL = Duration.ofMillis(10);

    @Override
    public ContenderInfo card() {
        String settings = ("queue with workerConcurrency %d and a poll of %d ms instead of 1 s, virtual threads, Hikari "
                + "with %d; bulk: single submits from %d threads; %s")
                .formatted(concurrency, POLL.toMillis(), connections, BULK_THREADS, database().settings);
        return new ContenderInfo("dbos/postgres", "DBOS " + Resources.version("dbos"), database().label,
                concurrency + " at once", Integer.toString(concurrency), settings, true, database().durable);
    }

    @Override
    public Database database() {
        return Database.POSTGRES;
    }

    @Override
    public double share() {
        return 0.1;
    }

    @Override
    public void prepare(StoreLocation place) {
        MigrationManager.runMigrations(config(database().plain(place)));
    }

    private static DBOSConfig config(DataSource source) {
        return DBOSConfig.defaults("benchmark").withDataSource(source).withAppVersion("1");
    }

    @Override
    public ContenderSession open(StoreLocation place, Aim aim, Probe probe) throws SQLException {
        return new Open(place, aim, probe);
    }

    private final class Open implements ContenderSession {

        private final HikariDataSource source;
        private final HikariDataSource submitting;
        private final RowCounter unfinished;
        private final DBOSClient client;
        private final DBOS dbos;

        Open(StoreLocation place, Aim aim, Probe probe) throws SQLException {
            source = database().pooled(place, aim.connections(connections), true);
            submitting = database().pooled(place, BULK_THREADS, true);
            unfinished = new RowCounter(database().plain(place),
                    "SELECT count(*) FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING', 'DELAYED')");
            client = new DBOSClient(submitting);
            dbos = new DBOS(config(source));
            dbos.registerQueue(new Queue(QUEUE).withWorkerConcurrency(concurrency).withPollingInterval(POLL));
            dbos.registerProxy(Jobs.class, new NoOps(probe));
        }

        @Override
        public void submit(int number) {
            client.enqueueWorkflow(new EnqueueOptions(NO_OP, NO_OP, QUEUE), new Object[]{number});
        }

        @Override
        public void submitAll(int first, int count) {
            try (ExecutorService threads = Executors.newFixedThreadPool(BULK_THREADS)) {
                List<Future<?>> shares = new ArrayList<>();
                for (int thread = 0; thread < BULK_THREADS; thread++) {
                    int from = first + thread;
                    shares.add(threads.submit(() -> {
                        for (int number = from; number < first + count; number += BULK_THREADS) {
                            submit(number);
                        }
                    }));
                }
                for (Future<?> share : shares) {
                    share.get();
                }
            } catch (ExecutionException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void startProcessing() {
            dbos.launch();
        }

        @Override
        public long unfinished() {
            return unfinished.get();
        }

        @Override
        public void close() {
            dbos.close();
            client.close();
            unfinished.close();
            submitting.close();
            source.close();
        }
    }

    /** DBOS creates a proxy of the interface and reads the annotations of the class. */
    public interface Jobs {
        void run(int number);
    }

    /** The workflow. It is public because DBOS calls it by reflection. */
    @WorkflowClassName(NO_OP)
    public static final class NoOps implements Jobs {

        private final Probe probe;

        NoOps(Probe probe) {
            this.probe = probe;
        }

        @Override
        @Workflow(name = NO_OP)
        public void run(int number) {
            probe.started(number);
            probe.ended(number);
        }
    }
}
