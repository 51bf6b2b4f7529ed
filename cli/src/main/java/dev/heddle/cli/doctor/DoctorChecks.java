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

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.ConfigFile;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.home.NodeStatus;
import dev.heddle.cli.shell.CliException;
import dev.heddle.control.ControlException;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobPage;
import dev.heddle.process.Confinement;
import dev.heddle.process.Headroom;
import dev.heddle.process.Processes;
import dev.heddle.store.StoreException;

/** Checks everything a node needs. The checks change nothing. */
final class DoctorChecks {

    private static final int MIN_JAVA = 25;
    private static final Headroom HEADROOM = Headroom.standard();
    private static final long MIB = 1024 * 1024;
    private static final Duration MAX_SKEW = Duration.ofSeconds(2);
    private static final Set<PosixFilePermission> GROUP_AND_OTHERS = EnumSet.complementOf(EnumSet
            .of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE));

    private final CliContext context;
    private final Home home;

    DoctorChecks(CliContext context) {
        this.context = context;
        this.home = context.options().home();
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>(
                List.of(java(Runtime.version()), git(), disk(), memory(), processes(), sandbox(), permissions(),
                        configuration()));
        // Node and store cannot be checked without a valid configuration and a readable home.
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
        return version.feature() >= MIN_JAVA ? Finding.ok("java", found)
                : Finding.wrong("java", found, "install JDK " + MIN_JAVA + " or newer");
    }

    private Finding git() {
        try {
            ProcessBuilder git = new ProcessBuilder("git", "--version").redirectErrorStream(true);
            String path = context.options().environment().get("PATH");
            if (path != null && !path.equals(System.getenv("PATH"))) {
                git.command(find("git", path), "--version");
            }
            Process process = git.start();
            String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0) {
                return Finding.ok("git", version);
            }
            return Finding.wrong("git", version, "reinstall git; worktrees need it");
        } catch (IOException e) {
            return Finding.wrong("git", "not found on PATH", "install git; worktrees need it");
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
        Path ancestor = existingAncestor(home.directory());
        try {
            return disk(Files.getFileStore(ancestor).getUsableSpace(), home.directory());
        } catch (IOException e) {
            return Finding.wrong("disk", "cannot check: " + e.getMessage(), "check the file system of " + ancestor);
        }
    }

    static Finding disk(long free, Path home) {
        String found = free / MIB + " MiB free in " + home;
        return free >= HEADROOM.disk() ? Finding.ok("disk", found)
                : Finding.wrong("disk", found, "free some space, or move the home with HEDDLE_HOME; starting a process"
                        + " requires " + HEADROOM.disk() / MIB + " MiB");
    }

    private static Finding memory() {
        long free = Processes.freeMemory();
        String found = free / MIB + " MiB free";
        return free >= HEADROOM.memory() ? Finding.ok("memory", found) : Finding.wrong("memory", found,
                "free some memory; starting a process requires " + HEADROOM.memory() / MIB + " MiB");
    }

    /** Weaker isolation is reported but not wrong, because users cannot always change it. */
    private static Finding sandbox() {
        String user = Confinement.userProblem().map(problem -> "; no runAs: " + problem).orElse("; runAs works");
        return Finding.ok("sandbox", Confinement.sandboxProblem()
                .map(problem -> "none: " + problem + "; types with 'isolation: sandbox' do not start")
                .orElse("bubblewrap works") + user);
    }

    private static Finding processes() {
        Processes.Support support = Processes.support();
        return Finding.ok("processes", switch (support.strongest()) {
            case NAMESPACE -> "isolated in PID namespaces; no process outlives its job or the node";
            case SESSION -> "isolated in sessions; no PID namespaces (" + support.limitation()
                    + "), so a daemon may outlive a killed node until the next one starts";
            case TREE -> "tracked by parent only (" + support.limitation() + "), so a daemon may outlive its job";
        });
    }

    private static Path existingAncestor(Path path) {
        Path ancestor = path;
        while (!Files.exists(ancestor)) {
            ancestor = Objects.requireNonNull(ancestor.getParent());
        }
        return ancestor;
    }

    private Finding permissions() {
        Path directory = home.directory();
        if (!Files.exists(directory)) {
            Path parent = existingAncestor(directory);
            return Files.isWritable(parent) ? Finding.ok("permissions", directory + " can be created")
                    : Finding.wrong("permissions", directory + " cannot be created",
                            "make " + parent + " writable, or choose another home with HEDDLE_HOME");
        }
        if (!Files.isDirectory(directory) || !Files.isWritable(directory) || !Files.isExecutable(directory)) {
            return Finding.wrong("permissions", directory + " is not accessible to you",
                    "change its owner to you, or choose another home with HEDDLE_HOME");
        }
        try {
            if (isAccessibleToOthers(directory)) {
                return Finding.wrong("permissions", directory + " is accessible to others", "chmod 700 " + directory);
            }
            Path config = home.sibling(ConfigFile.NAME);
            if (Files.exists(config) && isAccessibleToOthers(config)
                    && Files.readString(config).matches("(?s).*\\b(token|password):[ \\t]*[^ \\t\\n$\"'#][^\\n]*.*")) {
                return Finding.wrong("permissions", config + " contains a secret and is readable by others",
                        "chmod 600 " + config + ", or read the secret from the environment with ${NAME}");
            }
        } catch (IOException e) {
            return Finding.wrong("permissions", "cannot check: " + e.getMessage(), "check " + directory);
        }
        return Finding.ok("permissions", directory + " is private to you");
    }

    private static boolean isAccessibleToOthers(Path file) throws IOException {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                && Files.getPosixFilePermissions(file).stream().anyMatch(GROUP_AND_OTHERS::contains);
    }

    private Finding configuration() {
        try {
            Config config = context.options().nodeConfig();
            return Finding.ok("configuration",
                    "store " + config.store().label() + ", " + config.pool().workers() + " workers");
        } catch (CliException e) {
            return Finding.wrong("configuration", String.valueOf(e.getMessage()), "fix that line");
        }
    }

    private Finding node() {
        return switch (NodeStatus.of(home)) {
            case NodeStatus.NotRunning() -> Finding.ok("node", "not running; start one with 'heddle serve'");
            case NodeStatus.Running(var node) -> Finding.ok("node", "process " + node.pid() + " on " + node.address());
            case NodeStatus.Stale(var why) -> Finding.wrong("node", "node.json is stale: " + why,
                    "run 'heddle serve', which replaces it, or delete " + home.directory().resolve("node.json"));
        };
    }

    private List<Finding> storeAndClock() {
        try (Connector.Connection connection = new Connector(context).open(Connector.Intent.READ)) {
            JobPage page = connection.control().jobs(JobFilter.ALL.limit(1));
            long dead = connection.control().stats().dead();
            Finding store = Finding.ok("store", "reachable" + (connection.remote() ? " through the node" : "") + "; "
                    + dead + (dead == 1 ? " dead letter" : " dead letters"));
            return List.of(store, clock(page));
        } catch (StoreException | ControlException | CliException e) {
            return List
                    .of(Finding.wrong("store", String.valueOf(e.getMessage()), "run 'heddle db status' for details"));
        }
    }

    /** A job from the future means that this clock, or that of the submitter, was wrong. */
    private Finding clock(JobPage page) {
        Instant now = context.clock().instant();
        if (page.jobs().isEmpty() || !page.jobs().getFirst().createdAt().isAfter(now.plus(MAX_SKEW))) {
            return Finding.ok("clock", now.toString());
        }
        return Finding.wrong("clock",
                "it is " + now + ", but the newest job was submitted at " + page.jobs().getFirst().createdAt(),
                "correct the clock and synchronize it with NTP");
    }
}
