package dev.heddle.engine.execute;

import java.util.List;

import dev.heddle.store.Fence;

/** Takes attempts away from workers: claims that wait are released, attempts that run are told to stop. */
public record AttemptStopper(List<WorkerGroup> groups, AttemptRunner runner, Watchdog watchdog) {

    /** Stops one attempt. */
    public void stop(Fence fence, StopCause cause, String reason) {
        groups.forEach(group -> group.removeWaiting(fence).ifPresent(claim -> {
            if (cause == StopCause.CANCEL) {
                runner.releaseCancelled(claim, reason);
            } else {
                runner.releaseForOthers(claim, reason);
            }
        }));
        watchdog.running().stream().filter(run -> run.fence().equals(fence))
                .forEach(run -> watchdog.stop(run, cause, reason));
    }

    /** Stops all attempts of this node. */
    public void stopAll(StopCause cause, String reason) {
        releaseWaiting(reason);
        watchdog.running().forEach(run -> watchdog.stop(run, cause, reason));
    }

    /** Releases the claims that no worker has started. */
    public void releaseWaiting(String reason) {
        groups.forEach(group -> group.removeWaiting().forEach(claim -> runner.releaseForOthers(claim, reason)));
    }

    /** Gives up on an attempt that ends the JVM and so waits for this pool to close. */
    public void abandonExiting() {
        watchdog.abandonExiting();
    }

    /** Stops all attempts, and each one that a worker is about to start. */
    public void stopForClosing(String reason, ClosingTimes times) {
        watchdog.close(reason, times);
    }
}
