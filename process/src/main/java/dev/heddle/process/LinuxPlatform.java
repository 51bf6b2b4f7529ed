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

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Linux: sessions, marks, namespaces, and this JVM as the parent of all orphans.
 *
 * <p>Which processes are part of a run? Those that carry its {@link Mark} as a limit or as a variable; its first
 * process, by pid and start; and, where the limit is not to be had, in a directory that is the run's alone, whatever
 * descends from this node and works there. Nothing is ever known by its name, its command line, or a pid by itself. Someone's shell in a worktree
 * descends from no node, and is left alone.
 */
final class LinuxPlatform implements Platform {

    private static final Logger LOG = LoggerFactory.getLogger(LinuxPlatform.class);

    private final Posix posix;
    private final LinuxCommandLine commandLine;
    private final Orphans orphans;
    private final Machine machine;
    private final long self = ProcessHandle.current().pid();

    private LinuxPlatform(Posix posix, LinuxCommandLine commandLine, Machine machine) {
        this.posix = posix;
        this.commandLine = commandLine;
        this.machine = machine;
        this.orphans = new Orphans(self, posix);
    }

    /** Empty where this is no Linux, or one that lacks the essentials. */
    static Optional<LinuxPlatform> find() {
        if (!System.getProperty("os.name", "").equals("Linux")
                || !Files.isReadable(Path.of("/proc/self/stat"))) {
            return Optional.empty();
        }
        try {
            Posix posix = new Posix();
            return LinuxCommandLine.find().map(line -> new LinuxPlatform(posix, line, thisMachine()));
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("Processes are held by parentage alone, because native calls are not to be had: {}",
                    e.getMessage());
            return Optional.empty();
        }
    }

    private static Machine thisMachine() {
        String id = first(Path.of("/etc/machine-id")).or(LinuxPlatform::hostName).orElse("");
        return new Machine(id, first(Path.of("/proc/sys/kernel/random/boot_id")).orElse(""),
                link(Path.of("/proc/self/ns/pid")));
    }

    private static Optional<String> first(Path file) {
        try {
            return Files.readString(file).lines().findFirst().map(String::strip)
                    .filter(line -> !line.isEmpty());
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
    public Isolation firmest() {
        return commandLine.firmest();
    }

    @Override
    public String obstacle() {
        return commandLine.obstacle();
    }

    @Override
    public Machine machine() {
        return machine;
    }

    @Override
    public long startOf(long pid) {
        return ProcTable.find(pid).filter(ProcTable.Entry::isAlive).map(ProcTable.Entry::startTicks)
                .orElse(0L);
    }

    @Override
    public List<String> commandLine(Mark mark, Isolation isolation, List<String> command) {
        return commandLine.around(command, mark, isolation);
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
    public Map<Mark, List<Long>> sweep(Collection<Row> rows) {
        Map<Mark, Row> byMark = rows.stream().collect(Collectors.toMap(Row::mark, row -> row));
        long since = rows.stream().mapToLong(Row::since).min().orElse(Long.MAX_VALUE);
        ProcTable table = ProcTable.read();
        Map<Mark, List<Long>> found = new HashMap<>();
        table.alive().filter(entry -> entry.startTicks() >= since && entry.pid() != self)
                .forEach(entry -> owner(entry, table, byMark).ifPresent(row -> {
                    found.computeIfAbsent(row.mark(), mark -> new ArrayList<>()).add(entry.pid());
                    posix.signal(entry.pid(), Posix.SIGKILL,
                            () -> startOf(entry.pid()) == entry.startTicks());
                }));
        return found;
    }

    private Optional<Row> owner(ProcTable.Entry entry, ProcTable table, Map<Mark, Row> rows) {
        Optional<Mark> mark = markOf(entry.pid());
        if (mark.isPresent() && rows.containsKey(mark.get())) {
            return mark.map(rows::get);
        }
        return rows.values().stream().filter(row -> row.isFirst(entry.pid(), entry.startTicks())
                || (mark.isEmpty() && worksIn(row.place(), entry, table))).findFirst();
    }

    private Optional<Mark> markOf(long pid) {
        return ProcTable.realTimeLimit(pid).filter(Mark::isMark).filter(limit -> limit != orphans.ownLimit())
                .map(Mark::new)
                .or(() -> ProcTable.variable(pid, Mark.VARIABLE).flatMap(LinuxPlatform::parse));
    }

    private static Optional<Mark> parse(String text) {
        try {
            return Optional.of(Mark.parse(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private boolean worksIn(Launch.Place place, ProcTable.Entry entry, ProcTable table) {
        return !commandLine.marks() && place.own() && table.descends(entry, self)
                && ProcTable.workingDirectory(entry.pid())
                        .filter(directory -> directory.startsWith(place.directory())).isPresent();
    }

    @Override
    public void adoptOrphans(boolean adopt) {
        if (!posix.adoptOrphans(adopt)) {
            LOG.warn("This JVM cannot be the parent of its orphans (PR_SET_CHILD_SUBREAPER was refused)");
        }
    }

    @Override
    public void reap(LongPredicate isAwaited) {
        orphans.reap(isAwaited);
    }

    @Override
    public List<Long> inside(Path directory) {
        return ProcTable.read().alive().map(ProcTable.Entry::pid)
                .filter(pid -> ProcTable.workingDirectory(pid).filter(at -> at.startsWith(directory))
                        .isPresent())
                .toList();
    }

    @Override
    public long freeMemory() {
        return LinuxMemory.free();
    }
}
