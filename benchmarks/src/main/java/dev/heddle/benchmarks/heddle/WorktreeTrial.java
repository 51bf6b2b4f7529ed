package dev.heddle.benchmarks.heddle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import dev.heddle.benchmarks.report.MachineInfo;
import dev.heddle.benchmarks.report.ResultTable;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.job.JobId;
import dev.heddle.worktree.Worktree;
import dev.heddle.worktree.WorktreePool;

/** Measures the cost of a worktree: created, recycled, and returned with changes, for repositories of two sizes. */
final class WorktreeTrial {

    private static final int FILE_SIZE = 4_000;

    private final Path directory;
    private final int rounds;

    private WorktreeTrial(Path directory, int rounds) {
        this.directory = directory;
        this.rounds = rounds;
    }

    /** Argument: {@code --smoke} or none. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 1 || (arguments.length == 1 && !arguments[0].equals("--smoke"))) {
            System.err.println("benchmarks/run --worktrees takes only --smoke");
            System.exit(2);
        }
        boolean smoke = arguments.length == 1;
        Path directory = Files.createTempDirectory("heddle-worktrees");
        try {
            System.err.println(MachineInfo.here(directory).line());
            List<List<String>> lines = new ArrayList<>();
            lines.add(List.of("files", "created", "recycled", "ratio", "released with changes"));
            for (int files : smoke ? List.of(50) : List.of(100, 5_000)) {
                lines.add(new WorktreeTrial(directory.resolve("n" + files), smoke ? 2 : 15).measure(files));
            }
            System.out.print(ResultTable.aligned(lines, 0));
        } finally {
            Directories.delete(directory);
        }
    }

    private List<String> measure(int files) throws Exception {
        Path repository = repository(files);
        double[] made = new double[rounds];
        double[] recycled = new double[rounds];
        double[] back = new double[rounds];
        WorktreePool.Settings settings = WorktreePool.Settings.in(directory.resolve("trees"));
        for (int round = 0; round < rounds; round++) {
            // A new pool of worktrees each round: its first worktree is created, and the second is the first one
            // recycled.
            try (WorktreePool worktrees = WorktreePool.open(settings)) {
                long began = System.nanoTime();
                Worktree first = worktrees.acquire(repository, "main", JobId.next(), 1);
                made[round] = millis(began);
                worktrees.release(first);
                began = System.nanoTime();
                Worktree second = worktrees.acquire(repository, "main", JobId.next(), 1);
                recycled[round] = millis(began);
                if (!second.path().equals(first.path())) {
                    throw new IllegalStateException("not recycled: " + second.path());
                }
                Files.writeString(second.path().resolve("part0/file0"), "changed");
                Files.writeString(second.path().resolve("new"), "new");
                began = System.nanoTime();
                worktrees.release(second);
                back[round] = millis(began);
            }
        }
        return List.of(String.format(Locale.ROOT, "%,d", files), text(median(made)), text(median(recycled)),
                String.format(Locale.ROOT, "%.1fx", median(made) / median(recycled)), text(median(back)));
    }

    private Path repository(int files) throws Exception {
        Path repository = Files.createDirectories(directory.resolve("app"));
        git(repository, "init", "-q", "-b", "main");
        for (int i = 0; i < files; i++) {
            Path file = repository.resolve("part" + i / 100 + "/file" + i);
            Files.createDirectories(repository.resolve("part" + i / 100));
            Files.writeString(file, ("line of file " + i + "\n").repeat(FILE_SIZE / 20));
        }
        git(repository, "add", "-A");
        git(repository, "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "first");
        git(repository, "gc", "-q");
        return repository;
    }

    private static void git(Path repository, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", repository.toString()));
        command.addAll(List.of(arguments));
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new IllegalStateException("failed: " + command);
        }
    }

    private static double millis(long began) {
        return (System.nanoTime() - began) / 1e6;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static String text(double millis) {
        return String.format(Locale.ROOT, "%,.0f ms", millis);
    }
}
