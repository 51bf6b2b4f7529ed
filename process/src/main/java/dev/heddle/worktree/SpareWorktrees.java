package dev.heddle.worktree;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** The worktrees of a pool that no attempt uses, by the git directory of their repository. */
final class SpareWorktrees {

    private final int maximum;
    private final Map<Path, Deque<Path>> paths = new HashMap<>();
    private boolean closed;

    SpareWorktrees(int maximum) {
        this.maximum = maximum;
    }

    synchronized @Nullable Path poll(Path repository) {
        Deque<Path> spare = paths.get(repository);
        return spare == null ? null : spare.poll();
    }

    /** Tells whether there are fewer than the maximum. */
    synchronized boolean hasRoom(Path repository) {
        return paths.getOrDefault(repository, new ArrayDeque<>()).size() < maximum;
    }

    /** Adds a worktree; returns false if the pool is closed. */
    synchronized boolean push(Path repository, Path worktree) {
        if (!closed) {
            paths.computeIfAbsent(repository, _ -> new ArrayDeque<>()).push(worktree);
        }
        return !closed;
    }

    /** Accepts no more worktrees, and returns those that are there. */
    synchronized Map<Path, Deque<Path>> close() {
        closed = true;
        Map<Path, Deque<Path>> left = Map.copyOf(paths);
        paths.clear();
        return left;
    }
}
