package dev.heddle.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.heddle.engine.commit.Ledger;
import dev.heddle.engine.dispatch.ClaimSource;
import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.submit.Intake;
import dev.heddle.engine.support.PoolCounters;
import dev.heddle.env.Environment;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Store;

/**
 * Claims jobs from the store in the name of this node.
 *
 * @param nodeId supplies the id of the node, which changes when the node rejoins
 * @param claimAhead the configured limit for claims that wait for a worker
 */
record StoreClaims(Store store, Supplier<String> nodeId, int claimAhead, ClaimsInFlight inFlight, Ledger ledger,
        PoolCounters counters, Intake intake, Environment env) implements ClaimSource {

    @Override
    public ClaimResult claim(int limit, List<Wanted> wanted) {
        Duration asked = env.elapsed();
        ClaimResult claimed = store
                .claim(new ClaimRequest(nodeId.get(), env.clock().instant(), asked, limit, wanted));
        counters.addQueued(claimed.promoted() - claimed.claims().size());
        if (!claimed.claims().isEmpty()) {
            intake.capacityFreed();
        }
        return claimed.afterCall(env.elapsed().minus(asked));
    }

    @Override
    public int maxAhead() {
        return Math.min(claimAhead, inFlight.recentCompletions());
    }

    @Override
    public int unsettled() {
        return ledger.unsettledEnds();
    }
}
