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
 * macOS, Windows and every other system, with the means of {@link ProcessHandle}. The descendants of a process are
 * found by parentage when it is stopped or killed, and remembered so that those that outlive it can be swept. A daemon
 * is not found, and neither is what a process leaves behind if it ends by itself. After a node was killed, the next
 * node finds the first process of each record by pid and start, and its descendants.
 */
final class PortablePlatform implements Platform {

    /** The descendants of each first process at the time it was told to stop, by pid. */
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
    public Isolation strongestIsolation() {
        return Isolation.TREE;
    }

    @Override
    public String limitation() {
        return "sessions and namespaces need Linux";
    }

    @Override
    public Machine machine() {
        return machine;
    }

    @Override
    public long startTicks(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).map(PortablePlatform::startTicks).orElse(0L);
    }

    private static long startTicks(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    @Override
    public String processFiles() {
        return "";
    }

    @Override
    public List<String> commandLine(ProcessMark mark, Isolation isolation, List<String> command) {
        return command;
    }

    @Override
    public void beforeStop(long first) {
        var _ = tree(first).count();
    }

    @Override
    public List<String> unboundCommandLine(ProcessMark mark, List<String> command) {
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

    /** Keeps earlier descendants, which may be alive but are no longer found once their parent has ended. */
    private void remember(long first, List<ProcessHandle> descendants) {
        remembered.merge(first, descendants,
                (before, now) -> Stream.concat(before.stream(), now.stream()).distinct().toList());
    }

    @Override
    public Map<ProcessMark, List<Long>> sweep(Collection<ProcessRecord> records) {
        Map<ProcessMark, List<Long>> found = new HashMap<>();
        for (ProcessRecord record : records) {
            ProcessIdentity first = record.identity();
            if (first == null) {
                continue;
            }
            List<ProcessHandle> alive = members(record, first).filter(ProcessHandle::isAlive).distinct().toList();
            if (alive.isEmpty()) {
                remembered.remove(first.pid());
            } else {
                remember(first.pid(), alive);
                alive.forEach(ProcessHandle::destroyForcibly);
                found.put(record.mark(), alive.stream().map(ProcessHandle::pid).toList());
            }
        }
        return found;
    }

    private Stream<ProcessHandle> members(ProcessRecord record, ProcessIdentity identity) {
        Stream<ProcessHandle> first = ProcessHandle.of(identity.pid())
                .filter(handle -> record.isFirst(handle.pid(), startTicks(handle))).stream()
                .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()));
        return Stream.concat(first, remembered.getOrDefault(identity.pid(), List.of()).stream());
    }

    @Override
    public void adoptOrphans(boolean adopt) {
        // Not needed: the init process of the system adopts and reaps orphans.
    }

    @Override
    public void reap(LongPredicate isAwaited) {
        // Not needed, see above.
    }

    @Override
    public List<Long> inside(Path directory) {
        return List.of();
    }

    @Override
    public boolean protectNode() {
        return false;
    }

    @Override
    public long freeMemory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getFreeMemorySize() : Long.MAX_VALUE;
    }
}
