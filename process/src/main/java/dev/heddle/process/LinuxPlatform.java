package dev.heddle.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

import dev.heddle.process.linux.LinuxMemory;
import dev.heddle.process.linux.OrphanReaper;
import dev.heddle.process.linux.Posix;
import dev.heddle.process.linux.ProcTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Linux, with sessions, marks, namespaces, and this JVM as the parent of all orphans.
 *
 * <p>A process belongs to a launch if it carries the launch's {@link ProcessMark} as a limit or as a variable, or if it
 * is the first process by pid and start. If limits cannot be set, a descendant of this node that works in the launch's
 * exclusive directory belongs to it too. A process is never identified by its name, its command line or its pid alone.
 * A user's shell in a worktree does not descend from a node and is left alone.
 */
final class LinuxPlatform implements Platform {

    private static final Logger LOG = LoggerFactory.getLogger(LinuxPlatform.class);

    private final Posix posix;
    private final LinuxCommandLine commandLine;
    private final OrphanReaper orphanReaper;
    private final Machine machine;
    private final long self = ProcessHandle.current().pid();

    private LinuxPlatform(Posix posix, LinuxCommandLine commandLine, Machine machine) {
        this.posix = posix;
        this.commandLine = commandLine;
        this.machine = machine;
        this.orphanReaper = new OrphanReaper(self, posix, ProcessMark::isMark);
    }

    /** Returns the platform; empty if this is not Linux, or if it lacks {@code /proc} or {@code setsid}. */
    static Optional<LinuxPlatform> find() {
        if (!System.getProperty("os.name", "").equals("Linux") || !Files.isReadable(Path.of("/proc/self/stat"))) {
            return Optional.empty();
        }
        try {
            Posix posix = new Posix();
            return LinuxCommandLine.find().map(line -> new LinuxPlatform(posix, line, thisMachine()));
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("Processes are isolated by parentage only, because native calls are not available: {}",
                    e.getMessage());
            return Optional.empty();
        }
    }

    private static Machine thisMachine() {
        String id = firstLine(Path.of("/etc/machine-id")).or(LinuxPlatform::hostName).orElse("");
        return new Machine(id, firstLine(Path.of("/proc/sys/kernel/random/boot_id")).orElse(""),
                link(Path.of("/proc/self/ns/pid")));
    }

    private static Optional<String> firstLine(Path file) {
        try {
            return Files.readString(file).lines().findFirst().map(String::strip).filter(line -> !line.isEmpty());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> hostName() {
        try {
            return Optional.of(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public Isolation strongestIsolation() {
        return commandLine.strongestIsolation();
    }

    @Override
    public String limitation() {
        return commandLine.limitation();
    }

    @Override
    public Machine machine() {
        return machine;
    }

    @Override
    public long startTicks(long pid) {
        return ProcTable.find(pid).filter(ProcTable.Entry::isAlive).map(ProcTable.Entry::startTicks).orElse(0L);
    }

    @Override
    public String processFiles() {
        return "/proc";
    }

    @Override
    public List<String> commandLine(ProcessMark mark, Isolation isolation, List<String> command) {
        return commandLine.wrap(command, mark, isolation);
    }

    @Override
    public void beforeStop(long first) {
        // Not needed: the mark stays.
    }

    @Override
    public List<String> unboundCommandLine(ProcessMark mark, List<String> command) {
        return commandLine.wrapUnbound(command, mark);
    }

    @Override
    public boolean terminate(long first) {
        return posix.signalGroup(first, Posix.SIGTERM);
    }

    @Override
    public boolean kill(long first) {
        return posix.signalGroup(first, Posix.SIGKILL);
    }

    @Override
    public Map<ProcessMark, List<Long>> sweep(Collection<ProcessRecord> records) {
        Map<ProcessMark, ProcessRecord> byMark = records.stream()
                .collect(Collectors.toMap(ProcessRecord::mark, record -> record));
        long since = records.stream().mapToLong(ProcessRecord::earliestStartTicks).min().orElse(Long.MAX_VALUE);
        ProcTable table = ProcTable.read();
        Map<ProcessMark, List<Long>> found = new HashMap<>();
        table.alive().filter(entry -> entry.startTicks() >= since && entry.pid() != self)
                .forEach(entry -> owner(entry, table, byMark).ifPresent(record -> {
                    found.computeIfAbsent(record.mark(), mark -> new ArrayList<>()).add(entry.pid());
                    posix.signal(entry.pid(), Posix.SIGKILL, () -> startTicks(entry.pid()) == entry.startTicks());
                }));
        return found;
    }

    private Optional<ProcessRecord> owner(ProcTable.Entry entry, ProcTable table,
            Map<ProcessMark, ProcessRecord> records) {
        Optional<ProcessMark> mark = markOf(entry.pid());
        if (mark.isPresent() && records.containsKey(mark.get())) {
            return mark.map(records::get);
        }
        return records.values().stream().filter(record -> record.isFirst(entry.pid(), entry.startTicks())
                || (mark.isEmpty() && worksIn(record.directory(), entry, table))).findFirst();
    }

    private Optional<ProcessMark> markOf(long pid) {
        return ProcTable.realTimeLimit(pid).filter(ProcessMark::isMark)
                .filter(limit -> limit != orphanReaper.ownLimit()).map(ProcessMark::new)
                .or(() -> ProcTable.environmentVariable(pid, ProcessMark.VARIABLE).flatMap(LinuxPlatform::parse));
    }

    private static Optional<ProcessMark> parse(String text) {
        try {
            return Optional.of(ProcessMark.parse(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private boolean worksIn(Launch.WorkingDirectory directory, ProcTable.Entry entry, ProcTable table) {
        return !commandLine.setsMarks() && directory.exclusive() && table.isDescendant(entry, self)
                && ProcTable.workingDirectory(entry.pid()).filter(at -> at.startsWith(directory.path())).isPresent();
    }

    @Override
    public void adoptOrphans(boolean adopt) {
        if (!posix.adoptOrphans(adopt)) {
            LOG.warn(
                    "This JVM cannot adopt orphans, which may become zombies: the kernel refused PR_SET_CHILD_SUBREAPER");
        }
    }

    @Override
    public void reap(LongPredicate isAwaited) {
        orphanReaper.reap(isAwaited);
    }

    @Override
    public List<Long> inside(Path directory) {
        return ProcTable.read().alive().map(ProcTable.Entry::pid)
                .filter(pid -> ProcTable.workingDirectory(pid).filter(at -> at.startsWith(directory)).isPresent())
                .toList();
    }

    @Override
    public boolean protectNode() {
        posix.blankEnvironment(name -> !NodeProtection.isShown(name));
        return posix.preventInspection();
    }

    @Override
    public long freeMemory() {
        return LinuxMemory.free();
    }
}
