package dev.heddle.process;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * The registry's record of one launched process, kept from just before its start until nothing is left of it.
 *
 * @param mark the mark that all its processes carry
 * @param label what the process is for
 * @param isolation how strongly it is isolated
 * @param directory its working directory
 * @param temp its temp directory
 * @param identity its first process, which leads the session and the group; null until it has been spawned
 */
record ProcessRecord(ProcessMark mark, String label, Isolation isolation, Launch.WorkingDirectory directory, Path temp,
        @Nullable ProcessIdentity identity) {

    ProcessRecord startedAs(ProcessIdentity first) {
        return new ProcessRecord(mark, label, isolation, directory, temp, first);
    }

    /** Returns a start time that no process of this record precedes. */
    long earliestStartTicks() {
        return identity == null ? 0 : identity.startTicks();
    }

    /**
     * Returns whether descendants may still be alive after the first process has ended. The first process of a
     * namespace ends after all others, unless a signal ended it: then the kernel may still be ending them.
     */
    boolean mayHaveLeftovers(int code) {
        return isolation != Isolation.NAMESPACE || code > 128;
    }

    boolean isFirst(long pid, long startTicks) {
        return identity != null && identity.pid() == pid && identity.startTicks() == startTicks;
    }
}
