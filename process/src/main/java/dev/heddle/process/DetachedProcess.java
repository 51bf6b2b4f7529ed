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
 * A process that continues when its node ends, so that the next node on the machine can take it over. Meant for work
 * that costs money; everything else belongs to {@link Processes}, which leave nothing behind.
 *
 * <p>Everything that is known about the process is in a directory, and the process needs no node to maintain it:
 *
 * <pre>
 * detached.json   the mark and the machine, written before the start
 * pid             the pid and start of the wrapper, created by the wrapper before it starts the command
 * exit            the exit code of the command, created when it has ended; then the limit in seconds if that ended it
 * </pre>
 *
 * <p>The wrapper is a short shell script. It also ends the command when its time limit has passed. Only one party can
 * create the file {@code pid}. A node that finds no such file creates it itself, and a wrapper that finds it does
 * nothing.
 */
public final class DetachedProcess {

    private static final Logger LOG = LoggerFactory.getLogger(DetachedProcess.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** How far the clocks of processes and files may differ. */
    private static final Duration CLOCK_GRAIN = Duration.ofSeconds(1);
    private static final String FILE = "detached.json";
    private static final String PID = "pid";
    /** The content of the pid file if a node created it, which means that the command never starts. */
    private static final String NEVER_STARTED = "0 0";

    /** A signal ends a wait with a code of its own, so the wrapper asks for that of the command once it has ended. */
    private static final String WRAPPER = """
            dir=$1 limit=$2 in=$3 out=$4 err=$5 proc=$6; shift 6
            read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ ticks _ 2>/dev/null <"$proc/$$/stat" || ticks=0
            set -C; { echo $$ $ticks >"$dir/pid"; } 2>/dev/null || exit 0; set +C
            now() { read -r up _ 2>/dev/null </proc/uptime && echo "${up%.*}" || date +%s; }
            if command -v timeout >/dev/null; then set -- timeout -k 10 "$limit" "$@"; fi
            began=$(now)
            trap '[ -z "$!" ] || kill -TERM "$!" 2>/dev/null' TERM; trap : HUP INT
            "$@" <"$in" >>"$out" 2>>"$err" & child=$!
            wait "$child"
            while kill -0 "$child" 2>/dev/null; do wait "$child"; done
            wait "$child"; code=$?
            case $code in 124|137) [ $(($(now) - began)) -lt "$limit" ] || code="$code $limit";; esac
            echo "$code" >"$dir/exit.part" && mv "$dir/exit.part" "$dir/exit"
            """;

    private final Path directory;
    private final Entry entry;
    private final Platform platform;
    /** The wrapper, if this JVM has started it. */
    private final @Nullable Process started;

    /** The JSON form of {@code detached.json}. Its field names are a file format: do not change them. */
    private record Entry(String mark, String run, Platform.Machine machine, String place) {}

    private DetachedProcess(Path directory, Entry entry, Platform platform, @Nullable Process started) {
        this.directory = directory;
        this.entry = entry;
        this.platform = platform;
        this.started = started;
    }

    /**
     * Starts a detached process.
     *
     * @param directory an empty directory for the state of the process
     * @param launch what to start; its streams must be files
     * @param limit the time after which the process is ended, whether or not there is a node
     * @throws LaunchException if it cannot be started
     */
    public static DetachedProcess start(Path directory, Launch launch, Duration limit) {
        Platform platform = Platform.here();
        Path working = launch.directory().path();
        Path program = Executables.locate(launch.command().getFirst(), working, launch.environment());
        List<String> command = new ArrayList<>(launch.command());
        command.set(0, program.toString());
        ConfinedCommand confined = ConfinedCommand.of(launch, command, working, null, false);
        ProcessMark mark = ProcessMark.random();
        Entry entry = new Entry(mark.toString(), launch.label(), platform.machine(),
                working.toAbsolutePath().toString());
        ProcessBuilder builder = new ProcessBuilder(commandLine(mark, directory, confined.command(), launch, limit))
                .directory(working.toFile()).redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(confined.environment());
        builder.environment().put(ProcessMark.VARIABLE, mark.toString());
        try {
            Path part = directory.resolve(FILE + ".part");
            Files.writeString(part, JSON.writeValueAsString(entry));
            Files.move(part, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
            return new DetachedProcess(directory, entry, platform, Spawner.here().spawn(builder));
        } catch (IOException e) {
            throw new LaunchException(LaunchException.Kind.REFUSED,
                    "cannot start " + program + " for " + launch.label() + ": " + e.getMessage(), e);
        }
    }

    private static List<String> commandLine(ProcessMark mark, Path directory, List<String> command, Launch launch,
            Duration limit) {
        List<String> line = new ArrayList<>();
        String path = launch.environment().getOrDefault("PATH", "") + ":/usr/bin:/bin:/usr/sbin:/sbin";
        Executables.find("prlimit", path)
                .ifPresent(tool -> line.addAll(List.of(tool.toString(), "--rttime=" + mark.value() + ":")));
        Executables.find("setsid", path).ifPresent(tool -> line.add(tool.toString()));
        line.addAll(List.of("/bin/sh", "-c", WRAPPER, "heddle", directory.toAbsolutePath().toString(),
                Long.toString(wholeSeconds(limit)), inputFile(launch),
                outputFile(launch.streams().output(), launch), outputFile(launch.streams().errors(), launch),
                Platform.here().processFiles()));
        line.addAll(command);
        return line;
    }

    /** Rounds up, so that no command ends before its time. */
    private static long wholeSeconds(Duration limit) {
        return Math.max(1, limit.plusSeconds(1).minusNanos(1).toSeconds());
    }

    private static String inputFile(Launch launch) {
        return launch.streams().input() instanceof Input.FromFile(Path file) ? file.toAbsolutePath().toString()
                : "/dev/null";
    }

    private static String outputFile(Output output, Launch launch) {
        if (output instanceof Output.ToFile(Path file)) {
            return file.toAbsolutePath().toString();
        }
        throw new LaunchException(LaunchException.Kind.INVALID, "the detached process for " + launch.label()
                + " must write its output and errors to files; use Output.to(Path)");
    }

    /**
     * Returns the process that this or an earlier node started with the directory; empty if there is none, or if it was
     * never started. In that case it will not start any more.
     */
    public static Optional<DetachedProcess> find(Path directory) {
        try {
            Entry entry = JSON.readValue(Files.readString(directory.resolve(FILE)), Entry.class);
            DetachedProcess found = new DetachedProcess(directory, entry, Platform.here(), null);
            return found.preventStart() ? Optional.empty() : Optional.of(found);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | JacksonException e) {
            throw new IllegalStateException("cannot read " + directory.resolve(FILE) + ": " + e.getMessage(), e);
        }
    }

    /** Creates the pid file in place of the wrapper. Returns false if the wrapper has created it already. */
    private boolean preventStart() throws IOException {
        try {
            Files.writeString(directory.resolve(PID), NEVER_STARTED, StandardOpenOption.CREATE_NEW);
            return true;
        } catch (FileAlreadyExistsException e) {
            return Files.readString(directory.resolve(PID)).strip().equals(NEVER_STARTED);
        }
    }

    /** Returns the permanent id of this machine, on which detached processes continue. */
    public static String machine() {
        return Platform.here().machine().id();
    }

    /** Returns the id of the current boot, which no detached process outlives; empty if unknown. */
    public static String boot() {
        return Platform.here().machine().bootId();
    }

    /**
     * Returns how the process ended, once nothing is left of it; empty while it runs. Reads files and scans processes,
     * so poll it at moderate intervals.
     */
    public Optional<Exit> exit() {
        Optional<End> end = end();
        if (end.isEmpty() && isAlive()) {
            return Optional.empty();
        }
        // It may have ended between the two checks.
        return Optional.of(exit(end.or(this::end), false, sweep()));
    }

    private static Exit exit(Optional<End> end, boolean stopped, Sweeper.Result swept) {
        End known = end.orElse(new End(Exit.KILLED, null));
        return new Exit(known.code, stopped, known.timedOutAfter, swept.killed(), swept.survivors());
    }

    /** The content of the file {@code exit}. */
    private record End(int code, @Nullable Duration timedOutAfter) {}

    private Optional<End> end() {
        try {
            String[] words = Files.readString(directory.resolve("exit")).strip().split(" ", -1);
            return Optional.of(new End(Integer.parseInt(words[0]),
                    words.length < 2 ? null : Duration.ofSeconds(Long.parseLong(words[1]))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the wrapper is alive. It never is after a reboot. */
    private boolean isAlive() {
        return entry.machine.equals(platform.machine())
                && wrapper().map(this::isAlive).orElseGet(() -> started != null && started.isAlive());
    }

    private boolean isAlive(ProcessIdentity wrapper) {
        return wrapper.startTicks() != 0 && platform.startTicks(wrapper.pid()) == wrapper.startTicks();
    }

    private Optional<ProcessIdentity> wrapper() {
        try {
            String[] words = Files.readString(directory.resolve(PID)).strip().split(" ", -1);
            if (words.length < 2) {
                return Optional.empty();
            }
            long pid = Long.parseLong(words[0]);
            long ticks = Long.parseLong(words[1]);
            return Optional.of(new ProcessIdentity(pid, ticks == 0 ? start(pid) : ticks, entry.machine.bootId()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the start of a wrapper that could not find it out, as {@link Platform#startTicks} in milliseconds; 0 if
     * the wrapper has ended. Another process with its pid has started after the wrapper created the pid file.
     */
    private long start(long pid) throws IOException {
        long ticks = platform.startTicks(pid);
        long created = Files.getLastModifiedTime(directory.resolve(PID)).toMillis();
        return ticks <= created + CLOCK_GRAIN.toMillis() ? ticks : 0;
    }

    /**
     * Asks the process to end, and returns how it ended. Kills it if it has not ended within the grace, or as soon as
     * the calling thread is interrupted. A grace of zero kills at once.
     */
    public Exit stop(Duration grace) {
        LOG.atInfo().addKeyValue("run", entry.run).log("Stopping {} with a grace of {}", entry.run, grace);
        Optional<ProcessIdentity> running = wrapper().filter(this::isAlive);
        running.ifPresent(wrapper -> platform.beforeStop(wrapper.pid()));
        if (grace.isPositive()) {
            running.flatMap(wrapper -> ProcessHandle.of(wrapper.pid())).ifPresent(ProcessHandle::destroy);
        }
        long deadline = System.nanoTime() + grace.toNanos();
        boolean interrupted = false;
        while (!interrupted && System.nanoTime() < deadline && end().isEmpty() && isAlive()) {
            interrupted = !BlockingSweep.pause();
        }
        Sweeper.Result swept = sweep();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return exit(end(), true, swept);
    }

    /**
     * Kills every process that carries the mark until none is left. The wrapper does not count as a leftover, because
     * it may only have its own exit left to do.
     */
    private Sweeper.Result sweep() {
        ProcessMark mark = ProcessMark.parse(entry.mark);
        @Nullable ProcessIdentity first = wrapper().orElse(null);
        ProcessRecord record = new ProcessRecord(mark, entry.run, Isolation.SESSION,
                new Launch.WorkingDirectory(Path.of(entry.place), false), TempDirectory.of(mark), first);
        return BlockingSweep.run(platform, record);
    }
}
