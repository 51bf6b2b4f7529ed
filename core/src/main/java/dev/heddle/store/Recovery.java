package dev.heddle.store;

import dev.heddle.job.Transition;

/**
 * What becomes of one orphan.
 *
 * @param crashed whether its count of crashes grows
 */
public record Recovery(Orphan orphan, Transition transition, boolean crashed) {}
