package dev.heddle.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process that goes on when its node ends, so that the next node on the machine can take it over. For work that is paid
 * for; everything else belongs to {@link Processes}, which leave nothing behind.
 *
 * <p>All that is known of it is in a directory, and the process does not need its node for any of it:
 *
 * <pre>
 * detached.json   the mark, and which run of which machine; written before the start
 * pid             the wrapper's pid and start, made by the wrapper before it starts the command
 * exit            the command's exit code, put there when it has ended
 * </pre>
 *
 * The wrapper, a few lines of shell, also ends the command when its time is over. Whoever makes the file {@code pid} first
 * wins: a node that finds none makes it itself, and a wrapper that comes too late does nothing.
 */
public final class DetachedProcess {

    private static final Logger LOG = LoggerFactory.getLogger(DetachedProcess.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration BETWEEN = Duration.ofMillis(20);
    private static final Duration LONGEST_SWEEP = Duration.ofSeconds(10);
    private static final String FILE = "detached.json";
    private static final String PID = "pid";
    private static final String NOBODY = "0 0";

    private static final String WRAPPER = """
            dir=$1 limit=$2 in=$3 out=$4 err=$5; shift 5
            read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ ticks _ 2>/dev/null </proc/$$/stat || ticks=0
            set -C; { echo $$ $ticks >"$dir/pid"; } 2>/dev/null || exit 0; set +C
            if command -v timeout >/dev/null; then set -- timeout -k 10 "$limit" "$@"; fi
            trap '[ -z "$!" ] || kill -TERM "$!" 2>/dev/null' TERM; trap : HUP INT
            "$@" <"$in" >>"$out" 2>>"$err" & child=$!
            wait "$child"; code=$?
            while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
            echo "$code" >"$dir/exit.part" && mv "$dir/exit.part" "$dir/exit"
            """;

    private final Path directory;
    private final Entry entry;
    private final Platform platform;
    /** The wrapper, where this JVM has started it. */
    private final @Nullable Process started;

    /** What is written down before the start. */
    private record Entry(String mark, String run, Platform.Machine machine, String place) {}

    private DetachedProcess(Path directory, Entry entry, Platform platform, @Nullable Process started) {
        this.directory = directory;
        this.entry = entry;
        this.platform = platform;
        this.started = started;
    }

    /**
     * Starts one.
     *
     * @param directory for what is known of it, empty
     * @param launch its streams must be files
     * @param limit after this it is ended, whether there is a node or not
     * @throws LaunchException where it cannot be started
     */
    public static DetachedProcess start(Path directory, Launch launch, Duration limit) {
        Platform platform = Platform.here();
        Path program = Tools.locate(launch.command().getFirst(), launch.place().directory(),
                launch.environment());
        Mark mark = Mark.random();
        Entry entry = new Entry(mark.toString(), launch.run(), platform.machine(),
                launch.place().directory().toAbsolutePath().toString());
        ProcessBuilder builder = new ProcessBuilder(commandLine(mark, directory, program, launch, limit))
                .directory(launch.place().directory().toFile())
                .redirectInput(ProcessBuilder.Redirect.from(nothing()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(launch.environment());
        builder.environment().put(Mark.VARIABLE, mark.toString());
        try {
            Path part = directory.resolve(FILE + ".part");
            Files.writeString(part, JSON.writeValueAsString(entry));
            Files.move(part, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
            return new DetachedProcess(directory, entry, platform, Spawner.here().spawn(builder));
        } catch (IOException e) {
            throw new LaunchException(LaunchException.Kind.REFUSED,
                    "cannot start " + program + " for " + launch.run() + ": " + e.getMessage(), e);
        }
    }

    private static File nothing() {
        return new File("/dev/null");
    }

    private static List<String> commandLine(Mark mark, Path directory, Path program, Launch launch,
            Duration limit) {
        List<String> line = new ArrayList<>();
        String path = launch.environment().getOrDefault("PATH", "") + ":/usr/bin:/bin:/usr/sbin:/sbin";
        Tools.find("prlimit", path).ifPresent(tool -> line.addAll(List.of(tool.toString(),
                "--rttime=" + mark.value() + ":")));
        Tools.find("setsid", path).ifPresent(tool -> line.add(tool.toString()));
        line.addAll(List.of("/bin/sh", "-c", WRAPPER, "heddle", directory.toAbsolutePath().toString(),
                Long.toString(Math.max(1, limit.toSeconds())), input(launch),
                output(launch.streams().output()),
                output(launch.streams().errors()), program.toString()));
        line.addAll(launch.command().subList(1, launch.command().size()));
        return line;
    }

    private static String input(Launch launch) {
        return launch.streams().input() instanceof Input.FromFile(Path file)
                ? file.toAbsolutePath().toString()
                : "/dev/null";
    }

    private static String output(Output output) {
        if (output instanceof Output.ToFile(Path file)) {
            return file.toAbsolutePath().toString();
        }
        throw new LaunchException(LaunchException.Kind.INVALID, "what outlives its node must write to files");
    }

    /**
     * The process that a node, this or an earlier one, started with this directory; empty where none did, or where it never
     * came to run, and now never will.
     */
    public static Optional<DetachedProcess> find(Path directory) {
        try {
            Entry entry = JSON.readValue(Files.readString(directory.resolve(FILE)), Entry.class);
            DetachedProcess found = new DetachedProcess(directory, entry, Platform.here(), null);
            return found.neverStarts() ? Optional.empty() : Optional.of(found);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | JacksonException e) {
            throw new IllegalStateException("cannot read " + directory.resolve(FILE) + ": " + e.getMessage(),
                    e);
        }
    }

    private boolean neverStarts() throws IOException {
        try {
            Files.writeString(directory.resolve(PID), NOBODY, StandardOpenOption.CREATE_NEW);
            return true;
        } catch (FileAlreadyExistsException e) {
            return Files.readString(directory.resolve(PID)).strip().equals(NOBODY);
        }
    }

    /** The name for good of the machine where processes that are started here go on. */
    public static String machine() {
        return Platform.here().machine().id();
    }

    /** The run of that machine, which none of them outlives; empty where it cannot be told. */
    public static String boot() {
        return Platform.here().machine().bootId();
    }

    /** What it is for, as the launch said. */
    public String run() {
        return entry.run;
    }

    /** How it ended, when nothing is left of it; empty while it runs. Asks the files, so it is for now and then. */
    public Optional<Exit> exit() {
        Optional<Integer> code = exitCode();
        if (code.isEmpty() && isAlive()) {
            return Optional.empty();
        }
        // It may have ended between the two looks.
        int ended = code.or(this::exitCode).orElse(Exit.KILLED);
        Sweeper.Swept swept = sweep();
        return Optional.of(new Exit(ended, false, swept.killed(), swept.survivors()));
    }

    private Optional<Integer> exitCode() {
        try {
            return Optional.of(Integer.valueOf(Files.readString(directory.resolve("exit")).strip()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The wrapper, by pid and start, in the same run of the machine. */
    private boolean isAlive() {
        return entry.machine.equals(platform.machine())
                && wrapper().map(this::isAlive).orElseGet(() -> started != null && started.isAlive());
    }

    private boolean isAlive(ProcessIdentity wrapper) {
        return wrapper.startTicks() == 0 ? ProcessHandle.of(wrapper.pid()).isPresent()
                : platform.startOf(wrapper.pid()) == wrapper.startTicks();
    }

    private Optional<ProcessIdentity> wrapper() {
        try {
            String[] words = Files.readString(directory.resolve(PID)).strip().split(" ", -1);
            return words.length < 2 ? Optional.empty()
                    : Optional.of(new ProcessIdentity(Long.parseLong(words[0]), Long.parseLong(words[1]),
                            entry.machine.bootId()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Asks it to end, kills it where it has not within the time or when this thread is interrupted, and says how it ended;
     * with no time at all, kills it at once.
     */
    public Exit stop(Duration grace) {
        LOG.atInfo().addKeyValue("run", entry.run).log("Stopping {}, {} to end", entry.run, grace);
        if (grace.isPositive()) {
            wrapper().filter(this::isAlive).flatMap(alive -> ProcessHandle.of(alive.pid()))
                    .ifPresent(ProcessHandle::destroy);
        }
        long deadline = System.nanoTime() + grace.toNanos();
        boolean interrupted = false;
        while (!interrupted && System.nanoTime() < deadline && exitCode().isEmpty() && isAlive()) {
            interrupted = !pause();
        }
        Sweeper.Swept swept = sweep();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return new Exit(exitCode().orElse(Exit.KILLED), true, swept.killed(), swept.survivors());
    }

    /**
     * Kills all that carries the mark until nothing does. The wrapper is no leftover: it
     * may have only to exit.
     */
    private Sweeper.Swept sweep() {
        Mark mark = Mark.parse(entry.mark);
        @Nullable ProcessIdentity first = wrapper().orElse(null);
        Row row = new Row(mark, entry.run, Isolation.SESSION, new Launch.Place(Path.of(entry.place), false),
                TempDirectory.of(mark), first);
        List<Long> seen = new ArrayList<>();
        long deadline = System.nanoTime() + LONGEST_SWEEP.toNanos();
        boolean interrupted = false;
        while (true) {
            List<Long> alive = platform.sweep(List.of(row)).getOrDefault(mark, List.of());
            alive.stream().filter(pid -> !seen.contains(pid) && (first == null || first.pid() != pid))
                    .forEach(seen::add);
            if (alive.isEmpty() || System.nanoTime() > deadline) {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return new Sweeper.Swept(Math.max(0, seen.size() - alive.size()), alive);
            }
            interrupted |= !pause();
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(BETWEEN);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
