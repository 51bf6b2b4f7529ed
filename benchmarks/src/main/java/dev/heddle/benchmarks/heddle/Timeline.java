package dev.heddle.benchmarks.heddle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import dev.heddle.benchmarks.heddle.TimelineSvg.Start;
import dev.heddle.benchmarks.trial.ChildProcess;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.benchmarks.trial.ParentProcess;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;

/**
 * Kills a node in the middle of its jobs, opens another one on the same store, and draws when each job starts again.
 * The picture shows measured times only, so it takes the 15 minutes that it shows.
 */
final class Timeline {

    private static final JobType<Integer, String> TASK = JobType.of("task", Integer.class, String.class);
    private static final String READY = "ready";

    private Timeline() {}

    /**
     * Arguments: the output file and the number of jobs; or, in the child, {@code --victim}, the database and the
     * number.
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 3 && arguments[0].equals("--victim")) {
            beKilled(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
            return;
        }
        if (arguments.length != 2 || !arguments[1].matches("[1-9][0-9]{0,3}")) {
            System.err.println("usage: benchmarks/run --timeline FILE.svg JOBS");
            System.exit(2);
        }
        int jobs = Integer.parseInt(arguments[1]);
        Path directory = Files.createTempDirectory("heddle-timeline");
        try {
            Path database = directory.resolve("jobs.db");
            kill(database, jobs);
            List<Start> starts = open(database, jobs);
            Files.writeString(Path.of(arguments[0]), new TimelineSvg(starts).svg());
            System.err.println(
                    "drew " + starts.size() + " starts; the last came after " + starts.getLast().millis() + " ms");
        } finally {
            Directories.delete(directory);
        }
    }

    /** Runs jobs, a third of which save a checkpoint. */
    private static void beKilled(Path database, int jobs) throws Exception {
        ParentProcess parent = new ParentProcess();
        Pool pool = Pool.on(SqliteStore.at(database)).workers(jobs).register(TASK, (number, job) -> {
            if (number % 3 == 0) {
                job.saveCheckpoint(number);
            }
            job.sleep(Duration.ofHours(1));
            return "";
        }).open();
        pool.submitAll(IntStream.rangeClosed(1, jobs).mapToObj(TASK::with).toList());
        while (pool.admin().countJobs().in(JobState.RUNNING) < jobs) {
            Thread.sleep(20);
        }
        parent.say(READY);
        parent.hear();
    }

    private static void kill(Path database, int jobs) throws Exception {
        try (ChildProcess victim = ChildProcess.start(List.of(), Timeline.class,
                List.of("--victim", database.toString(), String.valueOf(jobs)))) {
            String word = victim.hear();
            if (!word.equals(READY)) {
                throw new IllegalStateException("the victim said " + word);
            }
        }
        System.err.println("killed a node that ran " + jobs + " jobs");
    }

    private static List<Start> open(Path database, int jobs) throws InterruptedException {
        List<Start> starts = new CopyOnWriteArrayList<>();
        SqliteStore store = SqliteStore.at(database);
        long opened = System.nanoTime();
        try (Pool pool = Pool.on(store).register(TASK, (number, job) -> {
            starts.add(new Start((System.nanoTime() - opened) / 1_000_000, job.checkpoint(Integer.class).isPresent()));
            return "";
        }).open()) {
            System.err.println("recovered " + pool.recoveryReport().summary());
            if (!pool.awaitIdle(Duration.ofMinutes(20)) || starts.size() != jobs) {
                throw new IllegalStateException("only " + starts.size() + " of " + jobs + " jobs started");
            }
        }
        return List.copyOf(starts);
    }
}
