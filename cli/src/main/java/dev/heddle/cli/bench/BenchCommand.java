package dev.heddle.cli.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.OutputFormat;
import dev.heddle.cli.shell.ProgressLine;
import dev.heddle.cli.shell.Table;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.process.files.ScratchDirectory;
import dev.heddle.sqlite.SqliteLibrary;
import dev.heddle.sqlite.SqliteStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures a temporary pool on a SQLite file in the home, because the speed of that disk matters. */
@Command(name = "bench", description = {"Measure how fast this machine runs jobs on SQLite.",
    "Uses a temporary file in the home and does not affect a running node."})
public final class BenchCommand implements Callable<Integer> {

    private static final JobType<Integer, Void> NO_OP = JobType.of("no-op", Integer.class);
    private static final int SINGLE_SUBMITS = 500;

    private final CliContext context;

    @Option(names = {"-n", "--jobs"}, paramLabel = "N", description = "Number of jobs (default: 20000).")
    private int jobs = 20_000;

    @Option(names = "--workers", paramLabel = "N", description = "Number of workers (default: 4).")
    private int workers = 4;

    @Mixin
    private final OutputFormat format = new OutputFormat();

    /** One measured value. */
    record Figure(String measure, double value, String unit) {}

    /** Creates the command. */
    public BenchCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws Exception {
        if (jobs < 1 || workers < 1) {
            throw CliException
                    .usage((jobs < 1 ? "--jobs" : "--workers") + " must be at least 1: " + (jobs < 1 ? jobs : workers));
        }
        context.options().home().create();
        SqliteLibrary.keepIn(context.options().home().nativeLibraries());
        try (ScratchDirectory scratch = context.options().home().createScratch()) {
            Thread atExit = new Thread(scratch::close, "bench-cleanup");
            Runtime.getRuntime().addShutdownHook(atExit);
            List<Figure> figures = measure(scratch.path());
            format.many(context.output(), figures, this::print);
            Runtime.getRuntime().removeShutdownHook(atExit);
            return ExitCode.OK.code();
        }
    }

    private List<Figure> measure(Path directory) throws Exception {
        List<Figure> figures = new ArrayList<>();
        try (ProgressLine line = new ProgressLine(context.output());
                Pool pool = Pool.on(SqliteStore.at(directory.resolve("bench.db"))).workers(workers)
                        .register(NO_OP, (number, job) -> null).open()) {
            line.show("warming up");
            pool.submitAll(requests(Math.min(jobs, 5_000)));
            pool.awaitIdle(Duration.ofMinutes(5));
            pool.admin().pauseQueue(JobRequest.DEFAULT_QUEUE);
            figures.add(new Figure("submit, one by one", SINGLE_SUBMITS / seconds(() -> {
                for (int i = 0; i < SINGLE_SUBMITS; i++) {
                    pool.submit(NO_OP, i);
                    line.show(i, SINGLE_SUBMITS, "submitting one by one");
                }
            }), "jobs/s"));
            line.show("submitting " + jobs + " at once");
            figures.add(
                    new Figure("submit, all at once", jobs / seconds(() -> pool.submitAll(requests(jobs))), "jobs/s"));
            figures.add(new Figure("run", (jobs + SINGLE_SUBMITS) / seconds(() -> {
                pool.admin().resumeQueue(JobRequest.DEFAULT_QUEUE);
                while (!pool.awaitIdle(Duration.ofMillis(200))) {
                    long left = pool.admin().countJobs().count(_ -> true);
                    line.show(jobs - left, jobs, "running, " + left + " left");
                }
            }), "jobs/s"));
            figures.add(latency(pool, line));
        }
        return figures;
    }

    private static Figure latency(Pool pool, ProgressLine line) throws Exception {
        double[] millis = new double[200];
        for (int i = 0; i < millis.length; i++) {
            line.show(i, millis.length, "measuring latency");
            int number = i;
            millis[i] = 1_000 * seconds(() -> pool.submit(NO_OP, number).await(Duration.ofSeconds(30)));
        }
        Arrays.sort(millis);
        return new Figure("submit to end, median", millis[millis.length / 2], "ms");
    }

    private static List<JobRequest<Integer, Void>> requests(int count) {
        return IntStream.range(0, count).mapToObj(NO_OP::with).toList();
    }

    private interface Work {
        void run() throws Exception;
    }

    private static double seconds(Work work) throws Exception {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e9;
    }

    private void print(List<Figure> figures) {
        new Table<Figure>().column("MEASURE", Figure::measure)
                .number("", figure -> String.format(Locale.ROOT, figure.value < 100 ? "%.1f" : "%,.0f", figure.value))
                .column("UNIT", Figure::unit).print(context.output(), figures);
        context.output()
                .info(jobs + " jobs, " + workers + " workers; each job was synced to disk before it was acknowledged");
    }
}
