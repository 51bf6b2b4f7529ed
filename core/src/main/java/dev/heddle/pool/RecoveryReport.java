package dev.heddle.pool;

import java.util.List;

import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Recovery;

/**
 * What a node found of dead nodes, and what became of it.
 *
 * @param found jobs that dead nodes held
 * @param withCheckpoint how many of them have saved where to go on
 * @param queued those that were assigned and had not started, as far as is known; back in the queue at once
 * @param atOnce those that ran and start again at once
 * @param warm those that follow one at a time
 * @param slow those that are spread over a long time
 * @param deadLettered those that took too many nodes down, or must not run twice
 */
public record RecoveryReport(int found, int withCheckpoint, int queued, int atOnce, int warm, int slow,
        int deadLettered) {

    static final RecoveryReport NOTHING = new RecoveryReport(0, 0, 0, 0, 0, 0, 0);

    static RecoveryReport of(List<Recovery> recoveries, Staging staging) {
        int withCheckpoint = 0;
        int queued = 0;
        int dead = 0;
        for (Recovery recovery : recoveries) {
            withCheckpoint += recovery.orphan().hasCheckpoint() ? 1 : 0;
            if (recovery.transition() instanceof Transition.Die) {
                dead++;
            } else if (recovery.orphan().job().state() == JobState.ASSIGNED) {
                queued++;
            }
        }
        int ran = recoveries.size() - dead - queued;
        int atOnce = Math.min(ran, staging.atOnce());
        int warm = Math.min(ran - atOnce, staging.warm());
        return new RecoveryReport(recoveries.size(), withCheckpoint, queued, atOnce, warm,
                ran - atOnce - warm, dead);
    }

    /** In one line, for people. */
    public String summary() {
        return found + (found == 1 ? " job" : " jobs") + " of dead nodes (" + withCheckpoint
                + " with a checkpoint): " + queued
                + " back in the queue, " + atOnce + " at once, " + warm + " warm, " + slow + " slow, "
                + deadLettered + " dead-lettered";
    }
}
