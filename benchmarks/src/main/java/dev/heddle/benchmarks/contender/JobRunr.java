package dev.heddle.benchmarks.contender;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.server.configuration.BackgroundJobServerThreadType;
import org.jobrunr.server.configuration.DefaultBackgroundJobServerWorkerPolicy;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.StorageProviderUtils.DatabaseOptions;
import org.jobrunr.storage.sql.h2.H2StorageProvider;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.storage.sql.sqlite.SqLiteStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/**
 * JobRunr, with job requests rather than lambdas, because those need no bytecode analysis. It claims for all free
 * workers in one transaction and saves each completion separately. A worker that becomes free looks for work at once,
 * so the poll interval matters only to an idle pool; 5 s is the minimum on a database.
 *
 * @param connections size of the connection pool
 * @param rewrite whether the driver may send a batch of inserts as one statement (PostgreSQL only)
 */
record JobRunr(Database database, int workers, BackgroundJobServerThreadType threads, int connections,
        boolean rewrite) implements Contender {

    private static final Duration POLL = Duration.ofSeconds(5);

    @Override
    public ContenderInfo card() {
        String settings = "%s, %d s poll, its least, Hikari with %d%s, job requests, Jackson 3; %s".formatted(threads,
                POLL.toSeconds(), connections, rewrite ? " and reWriteBatchedInserts" : "", database.settings);
        return new ContenderInfo(
                "jobrunr/" + database.name().toLowerCase(Locale.ROOT)
                        + (database == Database.POSTGRES && !rewrite ? "-plain" : ""),
                "JobRunr " + Resources.version("jobrunr"), database.label, workers + " workers",
                Integer.toString(workers), settings, true, database.durable);
    }

    @Override
    public double share() {
        return database == Database.POSTGRES ? 0.25 : 1;
    }

    @Override
    public void prepare(StoreLocation place) {
        try (HikariDataSource source = database.pooled(place, 1, true);
                StorageProvider storage = storage(source, DatabaseOptions.CREATE)) {
            storage.setJobMapper(new JobMapper(new Jackson3JsonMapper()));
        }
    }

    @Override
    public ContenderSession open(StoreLocation place, Aim aim, Probe probe) throws SQLException {
        return new Open(rewrite ? place.rewritingBatches() : place, aim, probe);
    }

    private StorageProvider storage(HikariDataSource source, DatabaseOptions options) {
        return switch (database) {
            case SQLITE -> new SqLiteStorageProvider(source, options);
            case H2 -> new H2StorageProvider(source, options);
            case POSTGRES -> new PostgresStorageProvider(source, options);
        };
    }

    private final class Open implements ContenderSession {

        private final HikariDataSource source;
        private final StorageProvider storage;
        private final RowCounter unfinished;
        private final BackgroundJobServer server;
        private final JobRequestScheduler scheduler;

        Open(StoreLocation place, Aim aim, Probe probe) throws SQLException {
            source = database.pooled(place, aim.connections(connections), true);
            storage = storage(source, DatabaseOptions.SKIP_CREATE);
            Jackson3JsonMapper json = new Jackson3JsonMapper();
            storage.setJobMapper(new JobMapper(json));
            unfinished = new RowCounter(database.plain(place),
                    "SELECT count(*) FROM jobrunr_jobs WHERE state IN ('SCHEDULED', 'ENQUEUED', 'PROCESSING', 'FAILED')");
            server = new BackgroundJobServer(storage, json, new Handlers(new NoOpHandler(probe)),
                    BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                            .andPollInterval(POLL).andBackgroundJobServerWorkerPolicy(
                                    new DefaultBackgroundJobServerWorkerPolicy(workers, threads)));
            scheduler = new JobRequestScheduler(storage);
        }

        @Override
        public void submit(int number) {
            scheduler.enqueue(new NoOp(number));
        }

        @Override
        public void submitAll(int first, int count) {
            scheduler.enqueue(IntStream.range(first, first + count).mapToObj(NoOp::new));
        }

        @Override
        public void startProcessing() {
            server.start();
        }

        @Override
        public long unfinished() {
            return unfinished.get();
        }

        @Override
        public void close() {
            server.stop();
            storage.close();
            unfinished.close();
            source.close();
        }
    }

    /** The job, which JobRunr stores as JSON. */
    record NoOp(int number) implements JobRequest {

        @Override
        public Class<NoOpHandler> getJobRequestHandler() {
            return NoOpHandler.class;
        }
    }

    /** The handler. It is public because JobRunr calls it by reflection. */
    public static final class NoOpHandler implements JobRequestHandler<NoOp> {

        private final Probe probe;

        NoOpHandler(Probe probe) {
            this.probe = probe;
        }

        @Override
        public void run(NoOp job) {
            probe.started(job.number());
            probe.ended(job.number());
        }
    }

    private record Handlers(NoOpHandler noOp) implements JobActivator {

        @Override
        public <T> T activateJob(Class<T> type) {
            return type.cast(noOp);
        }
    }
}
