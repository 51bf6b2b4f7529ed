package dev.heddle.benchmarks.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/**
 * Quartz with its JDBC store: one durable job with a trigger for each execution, which writes less than a job and a
 * trigger each. All transactions that touch triggers wait for one lock. A batch of triggers is acquired in one
 * transaction and fired in another; each completion is a separate transaction.
 *
 * @param threads that run jobs, and the largest batch of triggers
 * @param connections size of the connection pool
 */
record Quartz(int threads, int connections) implements Contender {

    /**
     * The minimum that Quartz accepts: how long an idle scheduler waits before it looks for jobs of other processes.
     */
    private static final Duration IDLE_WAIT = Duration.ofSeconds(1);
    private static final String SOURCE = "benchmark";
    private static final String NUMBER = "number";
    private static final JobDetail NO_OP = JobBuilder.newJob(NoOp.class).withIdentity("no-op").storeDurably().build();

    @Override
    public ContenderInfo card() {
        String settings = ("JobStoreTX, PostgreSQLDelegate, threadCount and batchTriggerAcquisitionMaxCount %d, "
                + "acquireTriggersWithinLock, useProperties, not clustered, Hikari with %d; bulk: scheduleJobs; "
                + "latency: clustered, idleWaitTime %d s, its least; %s")
                .formatted(threads, connections, IDLE_WAIT.toSeconds(), database().settings);
        return new ContenderInfo("quartz/postgres", "Quartz " + Resources.version("quartz"), database().label,
                threads + " threads", Integer.toString(threads), settings, true, database().durable);
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
    public void prepare(StoreLocation place) throws SQLException {
        Database.run(Resources.text(JobStoreTX.class, "tables_postgres.sql"), database().plain(place));
    }

    @Override
    public ContenderSession open(StoreLocation place, Aim aim, Probe probe) throws SQLException, SchedulerException {
        return new Open(place, aim, probe);
    }

    /** Clustered only if another process uses the same tables; otherwise its locks work within the process. */
    private Properties properties(Aim aim) {
        Properties properties = new Properties();
        Map.ofEntries(Map.entry("scheduler.instanceName", "benchmark"), Map.entry("scheduler.instanceId", "AUTO"),
                Map.entry("scheduler.skipUpdateCheck", "true"),
                Map.entry("scheduler.idleWaitTime", "" + IDLE_WAIT.toMillis()),
                Map.entry("scheduler.batchTriggerAcquisitionMaxCount", "" + threads),
                Map.entry("threadPool.class", SimpleThreadPool.class.getName()),
                Map.entry("threadPool.threadCount", "" + threads),
                Map.entry("jobStore.class", JobStoreTX.class.getName()),
                Map.entry("jobStore.driverDelegateClass", PostgreSQLDelegate.class.getName()),
                Map.entry("jobStore.dataSource", SOURCE), Map.entry("jobStore.useProperties", "true"),
                Map.entry("jobStore.acquireTriggersWithinLock", "true"),
                Map.entry("jobStore.isClustered", "" + (aim != Aim.THROUGHPUT)))
                .forEach((name, value) -> properties.setProperty("org.quartz." + name, value));
        return properties;
    }

    private final class Open implements ContenderSession {

        private final HikariDataSource source;
        private final RowCounter unfinished;
        private final Scheduler scheduler;

        Open(StoreLocation place, Aim aim, Probe probe) throws SQLException, SchedulerException {
            source = database().pooled(place, aim.connections(connections), true);
            unfinished = new RowCounter(database().plain(place),
                    "SELECT (SELECT count(*) FROM qrtz_triggers) + (SELECT count(*) FROM qrtz_fired_triggers)");
            DBConnectionManager.getInstance().addConnectionProvider(SOURCE, new Pooled(source));
            scheduler = new StdSchedulerFactory(properties(aim)).getScheduler();
            scheduler.setJobFactory((bundle, owner) -> new NoOp(probe));
            scheduler.addJob(NO_OP, true);
        }

        private static Trigger trigger(int number) {
            return TriggerBuilder.newTrigger().withIdentity(Integer.toString(number)).forJob(NO_OP)
                    .usingJobData(NUMBER, Integer.toString(number)).startNow().build();
        }

        @Override
        public void submit(int number) {
            try {
                scheduler.scheduleJob(trigger(number));
            } catch (SchedulerException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void submitAll(int first, int count) {
            Set<Trigger> triggers = IntStream.range(first, first + count).mapToObj(Open::trigger)
                    .collect(Collectors.toSet());
            try {
                scheduler.scheduleJobs(Map.of(NO_OP, triggers), true);
            } catch (SchedulerException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void startProcessing() {
            try {
                scheduler.start();
            } catch (SchedulerException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public long unfinished() {
            return unfinished.get();
        }

        @Override
        public void close() {
            try {
                scheduler.shutdown(true);
            } catch (SchedulerException e) {
                throw new IllegalStateException(e);
            }
            unfinished.close();
            source.close();
        }
    }

    /** The job, instantiated for each execution. */
    private record NoOp(Probe probe) implements Job {

        @Override
        public void execute(JobExecutionContext context) {
            int number = Integer.parseInt(context.getTrigger().getJobDataMap().getString(NUMBER));
            probe.started(number);
            probe.ended(number);
        }
    }

    private record Pooled(HikariDataSource source) implements ConnectionProvider {

        @Override
        public Connection getConnection() throws SQLException {
            return source.getConnection();
        }

        @Override
        public void shutdown() {
            // The session closes the pool.
        }

        @Override
        public void initialize() {
            // The pool is already initialized.
        }
    }
}
