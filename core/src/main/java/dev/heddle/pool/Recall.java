package dev.heddle.pool;

import java.util.List;

import dev.heddle.store.Fence;

/** Takes attempts back: those still in hand are handed back, those that run are told to stop. */
record Recall(List<WorkerGroup> groups, Runner runner, Watchdog watchdog) {

    void one(Fence fence, Stop cause, String reason) {
        groups.forEach(group -> group.withdraw(fence).ifPresent(claim -> {
            if (cause == Stop.CANCEL) {
                runner.withdraw(claim, reason);
            } else {
                runner.handBack(claim, reason);
            }
        }));
        watchdog.running().stream().filter(run -> run.fence().equals(fence))
                .forEach(run -> watchdog.stop(run, cause, reason));
    }

    void all(Stop cause, String reason) {
        handBack(reason);
        watchdog.running().forEach(run -> watchdog.stop(run, cause, reason));
    }

    /** What no worker has begun. */
    void handBack(String reason) {
        groups.forEach(group -> group.withdrawAll().forEach(claim -> runner.handBack(claim, reason)));
    }

    /** All that runs, and whatever a worker is about to start. */
    void close(String reason) {
        watchdog.closing(reason);
    }
}
