package dev.heddle.engine.cluster;

import java.time.InstantSource;
import java.util.Objects;

import dev.heddle.engine.commit.Ledger;
import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.dispatch.Demand;
import dev.heddle.engine.execute.AttemptStopper;
import dev.heddle.engine.execute.StopCause;
import dev.heddle.job.JobState;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.Renewal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the attempts of this node in line with the store. */
public record Reconciler(AttemptStopper stopper, ClaimsInFlight inFlight, Ledger ledger, Demand demand,
        InstantSource clock) {

    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    void reconcile(Reconciliation differences) {
        for (Renewal.HeldAttempt attempt : differences.unknown()) {
            if (!endDetached(attempt) && inFlight.disown(attempt.fence())) {
                releaseLostClaim(attempt.fence());
            }
        }
        for (Renewal.HeldAttempt attempt : differences.cancelled()) {
            if (!endDetached(attempt)) {
                stopper.stop(attempt.fence(), StopCause.CANCEL,
                        Objects.requireNonNullElse(attempt.reason(), "cancelled"));
            }
        }
        for (Fence fence : differences.lost()) {
            stopper.stop(fence, StopCause.LOST, "the job is no longer this attempt's");
        }
    }

    private void releaseLostClaim(Fence claim) {
        LOG.atWarn().addKeyValue("seq", claim.seq()).log(
                "The answer to a claim was lost; releasing job number {}, attempt {}", claim.seq(), claim.attempt());
        release(claim, "its claim never reached the node");
    }

    /** Ends a cancelled attempt that was detached; false if it was not. Nobody else would end it. */
    private boolean endDetached(Renewal.HeldAttempt attempt) {
        boolean ends = attempt.state() == JobState.CANCELLED && inFlight.endDetached(attempt.fence());
        if (ends) {
            release(attempt.fence(), "cancelled");
        }
        return ends;
    }

    private void release(Fence fence, String reason) {
        ledger.post(new Change.Released(fence, reason, clock.instant()), _ -> demand.workAvailable());
    }
}
