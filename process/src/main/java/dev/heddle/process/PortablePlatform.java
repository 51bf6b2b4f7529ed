package dev.heddle.process;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * macOS, Windows and the rest: what {@link ProcessHandle} can do. The descendants of a process are found by parentage
 * when it is told to stop or killed, and remembered, so that those are swept that outlive it. A daemon, and what a
 * process leaves behind that ends by itself, are not found. After a kill of the node the next one finds the first
 * process of each run, by pid and start, with its descendants.
 */
final class PortablePlatform implements Platform {

    /** By the first process of a run, what descended from it when it was told to stop. */
    private final Map<Long, List<ProcessHandle>> remembered = new ConcurrentHashMap<>();
    private final Machine machine = new Machine(hostName(), "", "");

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "";
        }
    }

    @Override
    public Isolation firmest() {
        return Isolation.TREE;
    }

    @Override
    public String obstacle() {
        return "sessions and namespaces need Linux";
    }

    @Override
    public Machine machine() {
        return machine;
    }

    @Override
    public long startOf(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).map(PortablePlatform::startOf).orElse(0L);
    }

    private static long startOf(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    @Override
    public List<String> commandLine(Mark mark, Isolation isolation, List<String> command) {
        return command;
    }

    @Override
    public boolean terminate(long first) {
        return tree(first).map(ProcessHandle::destroy).reduce(false, Boolean::logicalOr);
    }

    @Override
    public boolean kill(long first) {
        return tree(first).map(ProcessHandle::destroyForcibly).reduce(false, Boolean::logicalOr);
    }

    private Stream<ProcessHandle> tree(long first) {
        Optional<ProcessHandle> handle = ProcessHandle.of(first);
        List<ProcessHandle> descendants = handle.stream().flatMap(ProcessHandle::descendants).toList();
        remember(first, descendants);
        return Stream.concat(handle.stream(), descendants.stream());
    }

    /** Who has lost its parent is nobody's descendant any more, and may yet be alive. */
    private void remember(long first, List<ProcessHandle> descendants) {
        remembered.merge(first, descendants, (before, now) -> Stream.concat(before.stream(), now.stream())
                .distinct().toList());
    }

    @Override
    public Map<Mark, List<Long>> sweep(Collection<Row> rows) {
        Map<Mark, List<Long>> found = new HashMap<>();
        for (Row row : rows) {
            ProcessIdentity first = row.identity();
            if (first == null) {
                continue;
            }
            List<ProcessHandle> alive = kin(row, first).filter(ProcessHandle::isAlive).distinct().toList();
            if (alive.isEmpty()) {
                remembered.remove(first.pid());
            } else {
                remember(first.pid(), alive);
                alive.forEach(ProcessHandle::destroyForcibly);
                found.put(row.mark(), alive.stream().map(ProcessHandle::pid).toList());
            }
        }
        return found;
    }

    private Stream<ProcessHandle> kin(Row row, ProcessIdentity identity) {
        Stream<ProcessHandle> first = ProcessHandle.of(identity.pid())
                .filter(handle -> row.isFirst(handle.pid(), startOf(handle))).stream()
                .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()));
        return Stream.concat(first, remembered.getOrDefault(identity.pid(), List.of()).stream());
    }

    @Override
    public void adoptOrphans(boolean adopt) {
        // Orphans go to the system's first process, which reaps them.
    }

    @Override
    public void reap(LongPredicate isAwaited) {
        // As above.
    }

    @Override
    public List<Long> inside(Path directory) {
        return List.of();
    }

    @Override
    public long freeMemory() {
        return ManagementFactory
                .getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getFreeMemorySize() : Long.MAX_VALUE;
    }
}
