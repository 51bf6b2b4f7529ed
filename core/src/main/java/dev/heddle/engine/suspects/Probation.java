package dev.heddle.engine.suspects;

import java.time.Duration;

import dev.heddle.store.Suspicion;

/** How long an attempt must run before it is cleared of killing its node. */
public final class Probation {

    static final Duration SHORTEST = Duration.ofSeconds(10);
    /** Long jobs that are innocent must not hold a node back for hours. */
    static final Duration LONGEST_AT_FIRST = Duration.ofMinutes(5);
    /** After that many deaths there is no limit, so that a job that kills its node after an hour is found, too. */
    static final int LIMITED_DEATHS = 3;

    private Probation() {}

    /** Returns the probation of a job: twice the time after which its node last died, within limits. */
    public static Duration of(Suspicion suspicion) {
        Duration twice = suspicion.ranFor().multipliedBy(2);
        if (suspicion.deaths() <= LIMITED_DEATHS && twice.compareTo(LONGEST_AT_FIRST) > 0) {
            return LONGEST_AT_FIRST;
        }
        return twice.compareTo(SHORTEST) > 0 ? twice : SHORTEST;
    }
}
