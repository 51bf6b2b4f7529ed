package dev.heddle.postgres;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.store.Change;
import dev.heddle.store.ClaimResult;

/** The jobs with limits that this process holds: when one leaves, jobs that wait for its slot may run on any node. */
final class LimitedJobs {

    private final Set<Long> held = ConcurrentHashMap.newKeySet();

    ClaimResult add(ClaimResult claimed) {
        claimed.claims().stream().filter(claim -> !claim.job().spec().limits().isEmpty())
                .forEach(claim -> held.add(claim.job().seq()));
        return claimed;
    }

    /** Returns whether any of them leaves its node by these changes. */
    boolean remove(List<Change> changes) {
        return !held.isEmpty() && changes.stream().filter(LimitedJobs::endsAttempt)
                .filter(change -> held.remove(change.fence().seq())).count() > 0;
    }

    private static boolean endsAttempt(Change change) {
        return switch (change) {
            case Change.Released _, Change.Ended _, Change.Ingested _ -> true;
            case Change.Started _, Change.Cleared _, Change.Progressed _, Change.Checkpointed _, Change.StepDone _ ->
                false;
        };
    }
}
