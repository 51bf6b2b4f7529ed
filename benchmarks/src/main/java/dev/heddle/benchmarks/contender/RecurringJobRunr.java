package dev.heddle.benchmarks.contender;

import java.time.Duration;
import java.util.OptionalInt;

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
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.storage.sql.sqlite.SqLiteStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/** The recurring jobs of JobRunr, with the settings of {@link JobRunr}: its shortest poll is 5 s. */
final class RecurringJobRunr implements RecurringContender {

    private static final Duration POLL = Duration.ofSeconds(5);
    private static final int WORKERS = 64;

    @Override
    public String name() {
        return "JobRunr " + Resources.version("jobrunr") + ", " + POLL.toSeconds() + " s poll";
    }

    @Override
    public AutoCloseable start(Database database, StoreLocation place, int jobs, String cron, Runnable fired)
            throws Exception {
        boolean postgres = database == Database.POSTGRES;
        Contenders.named(postgres ? "jobrunr/postgres" : "jobrunr/sqlite", OptionalInt.empty()).prepare(place);
        HikariDataSource source = database.pooled(place, postgres ? 20 : 1, true);
        StorageProvider storage = postgres ? new PostgresStorageProvider(source, DatabaseOptions.SKIP_CREATE)
                : new SqLiteStorageProvider(source, DatabaseOptions.SKIP_CREATE);
        Jackson3JsonMapper json = new Jackson3JsonMapper();
        storage.setJobMapper(new JobMapper(json));
        BackgroundJobServerThreadType threads = postgres ? BackgroundJobServerThreadType.VirtualThreads
                : BackgroundJobServerThreadType.PlatformThreads;
        BackgroundJobServer server = new BackgroundJobServer(storage, json, new Handlers(new TickHandler(fired)),
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration().andPollInterval(POLL)
                        .andBackgroundJobServerWorkerPolicy(
                                new DefaultBackgroundJobServerWorkerPolicy(WORKERS, threads)));
        JobRequestScheduler scheduler = new JobRequestScheduler(storage);
        for (int i = 0; i < jobs; i++) {
            scheduler.scheduleRecurrently("tick-" + i, cron, new Tick(i));
        }
        server.start();
        return () -> {
            server.stop();
            storage.close();
            source.close();
        };
    }

    /** The job. */
    record Tick(int number) implements JobRequest {

        @Override
        public Class<TickHandler> getJobRequestHandler() {
            return TickHandler.class;
        }
    }

    /** The handler. It is public because JobRunr calls it by reflection. */
    public static final class TickHandler implements JobRequestHandler<Tick> {

        private final Runnable fired;

        TickHandler(Runnable fired) {
            this.fired = fired;
        }

        @Override
        public void run(Tick job) {
            fired.run();
        }
    }

    private record Handlers(TickHandler tick) implements JobActivator {

        @Override
        public <T> T activateJob(Class<T> type) {
            return type.cast(tick);
        }
    }
}
