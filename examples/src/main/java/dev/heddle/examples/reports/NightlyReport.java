package dev.heddle.examples.reports;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.Schedule;
import dev.heddle.sqlite.SqliteStore;

/**
 * Writes a report about the day before. The day comes from the time for which the job runs, not from the clock: a run
 * that starts late, is retried or is backfilled makes the report that it is for.
 */
record NightlyReport(Path directory) implements JobHandler<NightlyReport.Topic, String> {

    /** The payload: what the report is about. */
    record Topic(String name) {}

    static final JobType<Topic, String> REPORT = JobType.of("report", Topic.class, String.class);

    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    /** Every night at 02:30, also for nights on which no node was running, up to a month back. */
    static Schedule schedule() {
        return Schedule.of("nightly-report", "30 2 * * *", REPORT.with(new Topic("sales"))).zone(ZONE)
                .missed(Missed.catchUp(31));
    }

    @Override
    public String handle(Topic topic, JobContext job) throws Exception {
        Instant runsFor = Instant.parse(job.headers().get(Schedule.TIME_HEADER));
        LocalDate day = LocalDate.ofInstant(runsFor, ZONE).minusDays(1);
        Path report = directory.resolve(topic.name() + "-" + day + ".txt");
        Files.writeString(report, "The " + topic.name() + " of " + day + "\n");
        return report.getFileName().toString();
    }

    /** Argument: a directory for the database and the reports. Runs until it is stopped. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args.length == 0 ? "." : args[0]);
        try (Pool pool = Pool.on(SqliteStore.at(directory.resolve("reports.db")))
                .register(REPORT, new NightlyReport(directory)).schedule(schedule()).open()) {
            System.out.println("next report: " + pool.schedules().next("nightly-report", 1).getFirst());
            System.in.read();
        }
    }
}
