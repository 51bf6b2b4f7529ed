package dev.heddle.benchmarks.heddle;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import dev.heddle.benchmarks.report.MachineInfo;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.process.Headroom;
import dev.heddle.process.Isolation;
import dev.heddle.process.Launch;
import dev.heddle.process.Output;
import dev.heddle.process.ProcessSettings;
import dev.heddle.process.Processes;
import dev.heddle.process.RunningProcess;

/**
 * Measures the overhead of a process: starting it, ending it, and the memory it needs meanwhile. The baseline is Java's
 * {@link ProcessBuilder}, which leaves child processes of the command behind.
 */
final class ProcessTrial {

    private static final Map<String, String> PATH = Map.of("PATH", "/usr/bin:/bin");

    private final Path directory;
    private final int rounds;
    private final int crowd;

    private ProcessTrial(Path directory, boolean smoke) {
        this.directory = directory;
        this.rounds = smoke ? 20 : 1_000;
        this.crowd = smoke ? 20 : 300;
    }

    /** Argument: {@code --smoke} or none. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 1 || (arguments.length == 1 && !arguments[0].equals("--smoke"))) {
            System.err.println("benchmarks/run --processes takes only --smoke");
            System.exit(2);
        }
        Path directory = Files.createTempDirectory("heddle-processes");
        try {
            System.err.println(MachineInfo.here(directory).line());
            ProcessTrial trial = new ProcessTrial(directory, arguments.length == 1);
            trial.bare();
            for (Isolation isolation : List.of(Isolation.SESSION, Isolation.NAMESPACE)) {
                if (isolation.compareTo(Processes.support().strongest()) <= 0) {
                    trial.held(isolation);
                } else {
                    System.out.println(isolation + ": not here (" + Processes.support().limitation() + ")");
                }
            }
        } finally {
            Directories.delete(directory);
        }
        System.exit(0);
    }

    private void bare() throws Exception {
        System.out.println("ProcessBuilder, /bin/true");
        Callable<double[]> run = () -> {
            long start = System.nanoTime();
            Process process = new ProcessBuilder("/bin/true").redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            double started = millisSince(start);
            process.waitFor();
            return new double[]{started, millisSince(start)};
        };
        report(repeat(run));
    }

    private void held(Isolation isolation) throws Exception {
        System.out.println(isolation + ", /bin/true");
        try (Processes processes = Processes.open(
                ProcessSettings.in(directory.resolve("processes")).isolation(isolation).headroom(Headroom.none()))) {
            Callable<double[]> run = () -> {
                long start = System.nanoTime();
                RunningProcess process = processes.start(launch("true"));
                double started = millisSince(start);
                process.await();
                return new double[]{started, millisSince(start)};
            };
            report(repeat(run));
            line("a crowd of " + crowd + " started at once, all ended, s", crowd(processes));
            line("an end while a daemon holds the output, ms, p99", p99(holding(processes)));
            line("a stop of 20 processes that heed SIGTERM, ms, p99", p99(stopping(processes)));
            line("a stop of 20 processes that do not, 10 s to end, s", stubborn(processes));
            line("memory beside the command, MiB", memory(processes));
        }
    }

    private Launch launch(String... command) {
        return Launch.of("benchmark", command).environment(PATH).in(directory);
    }

    private List<double[]> repeat(Callable<double[]> run) throws Exception {
        for (int i = 0; i < rounds / 5; i++) {
            run.call();
        }
        List<double[]> all = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            all.add(run.call());
        }
        return all;
    }

    private double crowd(Processes processes) throws Exception {
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < crowd; i++) {
                ends.add(threads.submit(() -> processes.start(launch("sleep", "1")).await()));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
        return millisSince(start) / 1_000 - 1;
    }

    private double[] holding(Processes processes) throws InterruptedException {
        double[] all = new double[rounds / 10];
        for (int i = 0; i < all.length; i++) {
            RunningProcess process = processes.start(launch("sh", "-c", "setsid -f sleep 86400; exit 0")
                    .output(Output.to(OutputStream.nullOutputStream())));
            long start = System.nanoTime();
            process.await();
            all[i] = millisSince(start);
        }
        return all;
    }

    private double[] stopping(Processes processes) throws Exception {
        double[] all = new double[rounds / 20];
        for (int i = 0; i < all.length; i++) {
            RunningProcess process = twenty(processes, "");
            long start = System.nanoTime();
            process.stop();
            process.await();
            all[i] = millisSince(start);
        }
        return all;
    }

    private double stubborn(Processes processes) throws Exception {
        RunningProcess process = twenty(processes, "trap '' TERM; ");
        long start = System.nanoTime();
        process.stop(rounds < 100 ? Duration.ofMillis(100) : Duration.ofSeconds(10));
        process.await();
        return millisSince(start) / 1_000;
    }

    private RunningProcess twenty(Processes processes, String before) throws IOException, InterruptedException {
        Path up = directory.resolve("up");
        Files.deleteIfExists(up);
        RunningProcess process = processes.start(launch("sh", "-c",
                before + "i=0; while test $i -lt 19; do sleep 86400 & i=$((i+1)); done; echo > up; wait; wait"));
        while (!Files.exists(up)) {
            Thread.sleep(1);
        }
        return process;
    }

    /** Returns the proportional set size, which counts shared pages by their share. */
    private double memory(Processes processes) throws Exception {
        RunningProcess process = twenty(processes, "");
        List<ProcessHandle> all = ProcessHandle.of(process.identity().pid()).stream()
                .flatMap(first -> Stream.concat(Stream.of(first), first.descendants())).toList();
        double beside = 0;
        for (ProcessHandle one : all) {
            String command = Files.readString(Path.of("/proc/" + one.pid() + "/cmdline")).replace('\0', ' ');
            if (command.contains("--kill-child") || command.contains("heddle")) {
                beside += Files.readAllLines(Path.of("/proc/" + one.pid() + "/smaps_rollup")).stream()
                        .filter(line -> line.startsWith("Pss:"))
                        .mapToDouble(line -> Double.parseDouble(line.split("\\s+", -1)[1])).sum();
            }
        }
        process.stop(Duration.ZERO);
        process.await();
        return beside / 1024;
    }

    private static void report(List<double[]> all) {
        for (int column = 0; column < 2; column++) {
            int which = column;
            double[] values = all.stream().mapToDouble(one -> one[which]).toArray();
            String name = column == 0 ? "started" : "started and ended";
            line(name + ", ms, p50", percentile(values, 50));
            line(name + ", ms, p99", p99(values));
        }
    }

    private static double p99(double[] values) {
        return percentile(values, 99);
    }

    private static double percentile(double[] values, int percent) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    private static void line(String name, double value) {
        System.out.println(String.format(Locale.ROOT, "  %-55s %,10.2f", name, value));
    }
}
