package dev.heddle.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.ConfigFile;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.home.Sighting;
import dev.heddle.cli.shell.CliException;
import dev.heddle.control.ControlException;
import dev.heddle.control.JobFilter;
import dev.heddle.control.JobPage;
import dev.heddle.process.Headroom;
import dev.heddle.process.Processes;
import dev.heddle.store.StoreException;

/** Looks at everything a node needs, one finding each; none of it changes anything. */
final class Examination {

    private static final int LEAST_JAVA = 25;
    private static final Headroom HEADROOM = Headroom.standard();
    private static final long MIB = 1024 * 1024;
    private static final Duration MOST_SKEW = Duration.ofSeconds(2);
    private static final Set<PosixFilePermission> OTHERS = EnumSet.complementOf(EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE));

    private final Desk desk;
    private final Home home;

    Examination(Desk desk) {
        this.desk = desk;
        this.home = desk.place().home();
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>(
                List.of(java(Runtime.version()), git(), disk(), memory(), processes(), permissions(),
                        configuration()));
        // What cannot be looked into has nothing to say about the rest.
        if (findings.getLast().ok() && isAccessible()) {
            findings.add(node());
            findings.addAll(storeAndClock());
        }
        return findings;
    }

    private boolean isAccessible() {
        return !Files.exists(home.directory())
                || (Files.isReadable(home.directory()) && Files.isExecutable(home.directory()));
    }

    static Finding java(Runtime.Version version) {
        String found = version + " in " + System.getProperty("java.home");
        return version.feature() >= LEAST_JAVA ? Finding.well("java", found)
                : Finding.wrong("java", found, "install a JDK " + LEAST_JAVA + " or newer");
    }

    private Finding git() {
        try {
            ProcessBuilder git = new ProcessBuilder("git", "--version").redirectErrorStream(true);
            String path = desk.place().environment().get("PATH");
            if (path != null && !path.equals(System.getenv("PATH"))) {
                git.command(find("git", path), "--version");
            }
            Process process = git.start();
            String said = new String(process.getInputStream().readAllBytes(),
                    StandardCharsets.UTF_8).strip();
            if (process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return Finding.well("git", said);
            }
            return Finding.wrong("git", said, "install git again; process workers will need it");
        } catch (IOException e) {
            return Finding.wrong("git", "not found on the PATH", "install git; process workers will need it");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Finding.wrong("git", "interrupted", "try again");
        }
    }

    private static String find(String tool, String path) {
        for (String directory : path.split(":", -1)) {
            Path candidate = Path.of(directory, tool);
            if (Files.isExecutable(candidate)) {
                return candidate.toString();
            }
        }
        return "/nowhere/" + tool;
    }

    private Finding disk() {
        Path there = existing(home.directory());
        try {
            return disk(Files.getFileStore(there).getUsableSpace(), home.directory());
        } catch (IOException e) {
            return Finding.wrong("disk", "cannot tell: " + e.getMessage(),
                    "check the file system of " + there);
        }
    }

    static Finding disk(long free, Path home) {
        String found = free / MIB + " MiB free for " + home;
        return free >= HEADROOM.disk() ? Finding.well("disk", found)
                : Finding.wrong("disk", found, "free some space, or move the home with HEDDLE_HOME; "
                        + HEADROOM.disk() / MIB + " MiB must be free to start a process");
    }

    private static Finding memory() {
        long free = Processes.freeMemory();
        String found = free / MIB + " MiB free";
        return free >= HEADROOM.memory() ? Finding.well("memory", found)
                : Finding.wrong("memory", found, "free some; " + HEADROOM.memory() / MIB
                        + " MiB must be free to start a process");
    }

    /** To have less than a namespace is nothing that people can always mend, but they should know. */
    private static Finding processes() {
        Processes.Support support = Processes.support();
        return Finding.well("processes", switch (support.firmest()) {
            case NAMESPACE -> "each in its own PID namespace; none outlives its job or the node";
            case SESSION -> "each in its own session; no PID namespaces (" + support.obstacle()
                    + "), so a daemon may outlive a killed node until the next one starts";
            case TREE ->
                "held by parentage alone (" + support.obstacle() + "), so a daemon may outlive its job";
        });
    }

    private static Path existing(Path path) {
        Path there = path;
        while (!Files.exists(there)) {
            there = Objects.requireNonNull(there.getParent());
        }
        return there;
    }

    private Finding permissions() {
        Path directory = home.directory();
        if (!Files.exists(directory)) {
            Path parent = existing(directory);
            return Files.isWritable(parent) ? Finding.well("permissions", directory + " can be made")
                    : Finding.wrong("permissions", directory + " cannot be made", "make " + parent
                            + " writable, or choose another home with HEDDLE_HOME");
        }
        if (!Files.isDirectory(directory) || !Files.isWritable(directory) || !Files.isExecutable(directory)) {
            return Finding.wrong("permissions", directory + " cannot be used by you",
                    "chown it to you, or choose another home with HEDDLE_HOME");
        }
        try {
            if (isOpen(directory)) {
                return Finding.wrong("permissions", directory + " is open to others",
                        "chmod 700 " + directory);
            }
            Path config = home.beside(ConfigFile.NAME);
            if (Files.exists(config) && isOpen(config) && Files.readString(config)
                    .matches("(?s).*\\b(token|password):[ \\t]*[^ \\t\\n$\"'#][^\\n]*.*")) {
                return Finding.wrong("permissions", config + " has a secret in it and is open to others",
                        "chmod 600 " + config + ", or take the secret from the environment as ${NAME}");
            }
        } catch (IOException e) {
            return Finding.wrong("permissions", "cannot tell: " + e.getMessage(), "check " + directory);
        }
        return Finding.well("permissions", directory + " is yours alone");
    }

    private static boolean isOpen(Path file) throws IOException {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
    }

    private Finding configuration() {
        try {
            Config config = desk.place().config();
            return Finding.well("configuration",
                    "store " + config.store().label() + ", " + config.pool().workers()
                            + " workers");
        } catch (CliException e) {
            return Finding.wrong("configuration", String.valueOf(e.getMessage()), "correct that line");
        }
    }

    private Finding node() {
        return switch (Sighting.in(home)) {
            case Sighting.Nobody() -> Finding.well("node", "none is running; 'heddle serve' starts one");
            case Sighting.Running(var node) ->
                Finding.well("node", "process " + node.pid() + " on " + node.address());
            case Sighting.Stale(var why) -> Finding.wrong("node", "node.json is stale: " + why,
                    "'heddle serve' clears it up; or delete " + home.directory().resolve("node.json"));
        };
    }

    private List<Finding> storeAndClock() {
        try (Access.Found found = new Access(desk).open(Access.Intent.LOOK)) {
            JobPage page = found.control().jobs(JobFilter.ALL.limit(1));
            long dead = found.control().stats().dead();
            Finding store = Finding.well("store",
                    "answers" + (found.remote() ? ", by way of the node" : "") + "; "
                            + dead + (dead == 1 ? " dead letter" : " dead letters"));
            return List.of(store, clock(page));
        } catch (StoreException | ControlException | CliException e) {
            return List.of(Finding.wrong("store", String.valueOf(e.getMessage()),
                    "see above; 'heddle db status' looks at it from outside"));
        }
    }

    /** A job of the future was submitted under another clock, here or on another machine. */
    private Finding clock(JobPage page) {
        Instant now = desk.clock().instant();
        if (page.jobs().isEmpty() || !page.jobs().getFirst().createdAt().isAfter(now.plus(MOST_SKEW))) {
            return Finding.well("clock", now.toString());
        }
        return Finding.wrong("clock", "it is " + now + ", and the newest job is of "
                + page.jobs().getFirst().createdAt(), "set the clock, and keep it with NTP");
    }
}
