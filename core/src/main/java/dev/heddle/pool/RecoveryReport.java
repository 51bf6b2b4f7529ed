package dev.heddle.pool;

import java.util.List;

import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Recovery;

/**
 * What a node recovered from dead nodes. Every job is counted in exactly one of the last five numbers.
 *
 * @param found how many jobs dead nodes held
 * @param withCheckpoint how many of them have a checkpoint
 * @param queued how many had not started, by all that is known, and are back in the queue
 * @param atOnce how many had started and may run again at once
 * @param warm how many follow at a steady pace, see {@link Staging}
 * @param slow how many are spread over a longer time, see {@link Staging}
 * @param deadLettered how many became dead letters, because they crashed too many nodes or must not run twice
 */
public record RecoveryReport(int found, int withCheckpoint, int queued, int atOnce, int warm, int slow,
        int deadLettered) {

    /** There was nothing to recover. */
    public static final RecoveryReport NONE = new RecoveryReport(0, 0, 0, 0, 0, 0, 0);

    /** Counts what was decided for the jobs of dead nodes. */
    public static RecoveryReport of(List<Recovery> recoveries, Staging staging) {
        int withCheckpoint = 0;
        int queued = 0;
        int dead = 0;
        for (Recovery recovery : recoveries) {
            withCheckpoint += recovery.orphan().hasCheckpoint() ? 1 : 0;
            if (recovery.transition() instanceof Transition.Fail) {
                dead++;
            } else if (recovery.orphan().job().state() == JobState.ASSIGNED) {
                queued++;
            }
        }
        int ran = recoveries.size() - dead - queued;
        int atOnce = Math.min(ran, staging.atOnce());
        int warm = Math.min(ran - atOnce, staging.warm());
        return new RecoveryReport(recoveries.size(), withCheckpoint, queued, atOnce, warm, ran - atOnce - warm, dead);
    }

    /** Returns the report as one line of text. */
    public String summary() {
        return found + (found == 1 ? " job" : " jobs") + " of dead nodes (" + withCheckpoint + " with a checkpoint): "
                + queued + " back in the queue, " + atOnce + " at once, " + warm + " warm, " + slow + " slow, "
                + deadLettered + " dead-lettered";
    }
}
