package dev.heddle.process;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * What the registry knows of one run, from just before its start until nothing of it is left.
 *
 * @param mark what all its processes have in common
 * @param run what it is for, as people know it
 * @param isolation how it is held
 * @param place where it runs
 * @param temp its temp directory
 * @param identity its first process, which leads its session and group; null while it is being spawned
 */
record Row(Mark mark, String run, Isolation isolation, Launch.Place place, Path temp,
        @Nullable ProcessIdentity identity) {

    Row startedAs(ProcessIdentity first) {
        return new Row(mark, run, isolation, place, temp, first);
    }

    /** No process of the run is older than this. */
    long since() {
        return identity == null ? 0 : identity.startTicks();
    }

    boolean isFirst(long pid, long startTicks) {
        return identity != null && identity.pid() == pid && identity.startTicks() == startTicks;
    }
}
