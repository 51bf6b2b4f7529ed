package dev.heddle.engine.cluster;

import dev.heddle.pool.Staging;
import dev.heddle.store.RecoveryPlan;

/** Gives tests of other packages the plan of a node. */
public final class RecoveryPlans {

    private RecoveryPlans() {}

    /** Returns the plan with these settings. */
    public static RecoveryPlan of(int maxCrashes, Staging staging) {
        return new RecoveryRules(maxCrashes, staging);
    }
}
