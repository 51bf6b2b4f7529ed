package dev.heddle.store;

import dev.heddle.job.Phase;
import dev.heddle.job.Transition;

/**
 * What becomes of one orphan.
 *
 * @param crashed whether its count of crashes grows
 * @param phase the one it goes on with
 */
public record Recovery(Orphan orphan, Transition transition, boolean crashed, Phase phase) {

    /** In the phase it was in. */
    public Recovery(Orphan orphan, Transition transition, boolean crashed) {
        this(orphan, transition, crashed, orphan.job().phase());
    }
}
