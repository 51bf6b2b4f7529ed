package dev.heddle.benchmarks;

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
 * Quartz with its JDBC store. One durable job and a trigger for each execution, which is less to write than a job and a
 * trigger for each. All its transactions that touch triggers wait for one lock; a batch of triggers is acquired and
 * fired in one transaction each, and each end is one of its own.
 *
 * @param threads that run jobs, and the most triggers it takes at once
 * @param connections of the pool
 */
record Quartz(int threads, int connections) implements Contender {

    /** The least it takes: how long an idle scheduler waits before it looks for what others have stored. */
    private static final Duration IDLE_WAIT = Duration.ofSeconds(1);
    private static final String SOURCE = "benchmark";
    private static final String NUMBER = "number";
    private static final JobDetail NO_OP = JobBuilder.newJob(NoOp.class).withIdentity("no-op").storeDurably()
            .build();

    @Override
    public Card card() {
        String settings = ("JobStoreTX, PostgreSQLDelegate, threadCount and batchTriggerAcquisitionMaxCount %d, "
                + "acquireTriggersWithinLock, useProperties, not clustered, Hikari with %d; bulk: scheduleJobs; "
                + "latency: clustered, idleWaitTime %d s, its least; %s").formatted(threads, connections,
                        IDLE_WAIT.toSeconds(), database().settings);
        return new Card("quartz/postgres", "Quartz " + Resources.version("quartz"), database().label,
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
    public void prepare(Place place) throws SQLException {
        Database.run(Resources.text(JobStoreTX.class, "tables_postgres.sql"), database().plain(place));
    }

    @Override
    public Session open(Place place, Aim aim, Probe probe) throws SQLException, SchedulerException {
        return new Open(place, aim, probe);
    }

    /** Clustered where another process has the same tables open: without, its locks end at the process. */
    private Properties properties(Aim aim) {
        Properties properties = new Properties();
        Map.ofEntries(Map.entry("scheduler.instanceName", "benchmark"),
                Map.entry("scheduler.instanceId", "AUTO"), Map.entry("scheduler.skipUpdateCheck", "true"),
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

    private final class Open implements Session {

        private final HikariDataSource source;
        private final StoreCount unfinished;
        private final Scheduler scheduler;

        Open(Place place, Aim aim, Probe probe) throws SQLException, SchedulerException {
            source = database().pooled(place, aim.connections(connections), true);
            unfinished = new StoreCount(database().plain(place),
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

    /** The job, made for each execution. */
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
            // Its session closes it.
        }

        @Override
        public void initialize() {
            // It is.
        }
    }
}
