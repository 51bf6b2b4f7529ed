package dev.heddle.process;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/** Everything in this package that differs between operating systems. */
sealed interface Platform permits LinuxPlatform, PortablePlatform {

    /** Returns the platform of this machine. */
    static Platform here() {
        return Holder.HERE;
    }

    /** Returns the strongest isolation that this machine supports. */
    Isolation strongestIsolation();

    /** Returns why no stronger isolation is available, in words; empty if there is none stronger. */
    String limitation();

    /** Returns the scope in which a pid identifies a process. */
    Machine machine();

    /** Returns when the process started, as {@link ProcessIdentity#startTicks}; 0 if there is no such process. */
    long startTicks(long pid);

    /**
     * Returns the directory in which a process finds its own start, as {@link #startTicks} does, in {@code PID/stat};
     * empty if there is none.
     */
    String processFiles();

    /** Returns the command line that runs the command with the mark and the isolation. */
    List<String> commandLine(ProcessMark mark, Isolation isolation, List<String> command);

    /** Notes what the first process of a launch leads, if that cannot be found out any more once it has ended. */
    void beforeStop(long first);

    /**
     * Returns the command line that runs the command with the mark and the strongest isolation, and does not end with
     * the node.
     */
    List<String> unboundCommandLine(ProcessMark mark, List<String> command);

    /**
     * Asks the processes that the first process of a launch leads to end. The first process must be alive. Returns
     * false if it has only just started and does not lead a group yet.
     */
    boolean terminate(long first);

    /** Kills the processes that the first process of a launch leads. Returns false as {@link #terminate} does. */
    boolean kill(long first);

    /** Kills every living process of the given records, wherever it is. Returns the pids it found, by mark. */
    Map<ProcessMark, List<Long>> sweep(Collection<ProcessRecord> records);

    /** Starts or stops adopting the orphans among this JVM's descendants. */
    void adoptOrphans(boolean adopt);

    /** Reaps adopted orphans that have ended, but never a child that a thread waits for. */
    void reap(LongPredicate isAwaited);

    /** Returns the pids of the processes that work in the directory or below it. */
    List<Long> inside(Path directory);

    /** Returns the free memory in bytes, including caches that the kernel would reclaim. */
    long freeMemory();

    /** Hides the memory and the environment of this JVM from the processes of its user, see {@link NodeProtection}. */
    boolean protectNode();

    /**
     * The scope in which a pid identifies a process.
     *
     * @param id the permanent id of the machine
     * @param bootId the boot of the machine; empty if unknown
     * @param view the PID namespace, because containers may share a directory but not their pids
     */
    record Machine(String id, String bootId, String view) {}

    /** The variable that, set to {@code portable}, has Linux treated like every other system. */
    String VARIABLE = "HEDDLE_PLATFORM";

    /** Detects the platform once, because detection starts a few processes. */
    final class Holder {
        private static final Platform HERE = "portable".equals(System.getenv(VARIABLE)) ? new PortablePlatform()
                : LinuxPlatform.find().map(Platform.class::cast).orElseGet(PortablePlatform::new);

        private Holder() {}
    }
}
