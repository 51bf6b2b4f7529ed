package dev.heddle.store;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * What the deaths of nodes say about a job that they held. A <em>suspect</em> may have caused one of them: until it is
 * cleared, every start on its node is committed before the handler runs.
 *
 * @param suspect whether the job may have caused the death of a node
 * @param cap how many attempts may be on probation at once on the node that runs this suspect, itself included;
 *         {@link #UNCAPPED} if any number, as for every job that is no suspect
 * @param deaths at how many deaths the job was among those that may have been the cause
 * @param ranFor how long it had run when its node last died, as far as that is known
 * @param clearedAttempt the attempt that outlived its probation last; 0 if none has
 */
public record Suspicion(boolean suspect, int cap, int deaths, Duration ranFor, int clearedAttempt) {

    /** The cap of a job that does not limit how many others run. */
    public static final int UNCAPPED = Integer.MAX_VALUE;

    /** No dead node ever held the job. */
    public static final Suspicion NONE = new Suspicion(false, UNCAPPED, 0, Duration.ZERO, 0);

    /** Checks the values. A job that is no suspect has no cap. */
    public Suspicion {
        requireNonNull(ranFor, "ranFor");
        if (cap < 1) {
            throw new IllegalArgumentException("a cap must be at least 1: " + cap);
        }
        cap = suspect ? cap : UNCAPPED;
        ranFor = ranFor.isNegative() ? Duration.ZERO : Duration.ofMillis(ranFor.toMillis());
    }

    /** Returns whether the job limits how many attempts may run beside it. */
    public boolean isCapped() {
        return cap != UNCAPPED;
    }

    /** Returns whether this attempt of the job has outlived its probation. */
    public boolean isCleared(int attempt) {
        return !suspect && clearedAttempt == attempt;
    }

    /** Returns this as that of a suspect; one that has a cap keeps it. */
    public Suspicion suspected() {
        return new Suspicion(true, cap, deaths, ranFor, clearedAttempt);
    }

    /** Returns this as that of a job that is no suspect any more. */
    public Suspicion unsuspected() {
        return new Suspicion(false, UNCAPPED, deaths, ranFor, clearedAttempt);
    }

    /** Returns this as that of a job whose attempt has outlived its probation. */
    public Suspicion cleared(int attempt) {
        return new Suspicion(false, UNCAPPED, deaths, ranFor, attempt);
    }
}
