package dev.heddle.process;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/** What differs between operating systems. Everything else here is the same on all of them. */
sealed interface Platform permits LinuxPlatform, PortablePlatform {

    /** The one for this machine. */
    static Platform here() {
        return Holder.HERE;
    }

    /** How firmly processes can be held here. */
    Isolation firmest();

    /** Why not more firmly, for people; empty where there is nothing firmer. */
    String obstacle();

    /** Where pids mean what they mean here. */
    Machine machine();

    /** When the process started, as {@link ProcessIdentity#startTicks}; 0 where there is none. */
    long startOf(long pid);

    /** What to execute so that the command runs under the mark, held as said. */
    List<String> commandLine(Mark mark, Isolation isolation, List<String> command);

    /**
     * Asks all that the first process of a run leads to end. It has not ended yet; where it has hardly started and leads
     * nothing, not even itself, this is false.
     */
    boolean terminate(long first);

    /** Kills all that the first process of a run leads, in the same way. */
    boolean kill(long first);

    /** Kills whatever is alive of these runs, wherever it went; tells what it found. */
    Map<Mark, List<Long>> sweep(Collection<Row> rows);

    /** Takes on the orphans among this node's descendants, or no longer. */
    void adoptOrphans(boolean adopt);

    /** Reaps adopted orphans that have ended; never a child that somebody waits for. */
    void reap(LongPredicate isAwaited);

    /** The processes that work in the directory or below it. */
    List<Long> inside(Path directory);

    /** Free memory in bytes, with what the kernel would give up for it. */
    long freeMemory();

    /**
     * Which machine this is, in which of its runs, and which part of its processes is seen here.
     *
     * @param id its name for good
     * @param bootId its run since it was switched on; empty where it cannot be told
     * @param view the PID namespace: containers may share a directory and not their pids
     */
    record Machine(String id, String bootId, String view) {}

    /** Looked at once: it takes a few processes to find out. */
    final class Holder {
        private static final Platform HERE = LinuxPlatform.find().map(Platform.class::cast)
                .orElseGet(PortablePlatform::new);

        private Holder() {}
    }
}
