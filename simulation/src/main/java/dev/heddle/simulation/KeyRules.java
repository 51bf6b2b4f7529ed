package dev.heddle.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.job.JobId;
import dev.heddle.job.SubmitEffect;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/** The last submission with a dedupe key wins: a job is claimed with the payload of the last one that changed it. */
final class KeyRules {

    private final Map<JobId, String> payloads = new HashMap<>();

    /** Returns what is wrong after a call of the store; empty if nothing is. */
    List<String> wrong(Object[] arguments, @Nullable Object result) {
        if (result instanceof ClaimResult claimed) {
            return claimed.claims().stream().filter(this::isOutdated)
                    .map(claim -> "job " + claim.job().seq() + " was claimed with the payload "
                            + claim.job().spec().payload() + ", although a submit with its dedupe key has set "
                            + payloads.get(claim.job().id()))
                    .toList();
        }
        if (result instanceof List<?> receipts && arguments.length > 0 && arguments[0] instanceof List<?> submissions
                && !receipts.isEmpty() && receipts.getFirst() instanceof Receipt) {
            note(submissions, receipts);
        }
        return List.of();
    }

    private boolean isOutdated(ClaimResult.Claim claim) {
        String last = payloads.get(claim.job().id());
        return last != null && !last.equals(claim.job().spec().payload());
    }

    private void note(List<?> submissions, List<?> receipts) {
        for (int i = 0; i < receipts.size(); i++) {
            if (receipts.get(i) instanceof Receipt.Accepted(var stored)
                    && submissions.get(i) instanceof Submission(var jobs, var _)) {
                for (int j = 0; j < stored.size(); j++) {
                    note(jobs.get(j), stored.get(j));
                }
            }
        }
    }

    private void note(NewJob job, Receipt.Stored stored) {
        if (job.spec().dedupeKey().isPresent() && stored.effect() != SubmitEffect.UNCHANGED) {
            payloads.put(stored.id(), job.spec().payload());
        }
    }
}
