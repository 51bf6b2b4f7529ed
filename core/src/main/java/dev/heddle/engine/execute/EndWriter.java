package dev.heddle.engine.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.heddle.engine.commit.AfterCommit;
import dev.heddle.engine.commit.AttemptEnd;
import dev.heddle.engine.commit.AttemptFacts;
import dev.heddle.job.Job;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.StoreException;
import dev.heddle.store.Verdict;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the ends of attempts, and has listeners notified after the commit. If the store refuses an end for what it
 * contains, such as a result that it cannot keep, the job fails for good with the store's reason.
 */
final class EndWriter {

    private static final Logger LOG = LoggerFactory.getLogger(EndWriter.class);
    private static final String UNKNOWN_REASON = "The store refused to store how this attempt ended, and also why.";

    private final AttemptServices services;
    private final AfterCommit afterCommit;

    EndWriter(AttemptServices services, AfterCommit afterCommit) {
        this.services = services;
        this.afterCommit = afterCommit;
    }

    /** Writes an end on the worker's thread, which also notifies the listeners if there are any. */
    void write(AttemptEnd end) {
        if (!afterCommit.hasListeners(end)) {
            services.ledger().post(end.change(), verdict -> afterCommit.ended(end, verdict),
                    refusal -> replaceApart(end, refusal));
            return;
        }
        Verdict verdict;
        try {
            verdict = services.ledger().writeUninterruptibly(end.change());
        } catch (StoreException refusal) {
            replace(end, refusal);
            return;
        }
        settle(end, verdict);
    }

    /** Writes an end for a worker whose thread is lost. */
    void writeForLostThread(AttemptEnd end) {
        services.ledger().post(end.change(), verdict -> {
            afterCommit.ended(end, verdict);
            if (afterCommit.hasListeners(end)) {
                // The ledger's thread must not wait for listeners.
                services.env().start("heddle-gave-up", () -> afterCommit.notifyListeners(end, verdict));
            }
        }, refusal -> replaceApart(end, refusal));
    }

    /** Ends a job that the store cannot read as a dead letter; every other attempt would find the same. */
    void writeDamaged(Claim claim, String worker) {
        AttemptEnd end = AttemptEnd.notRun(new DamagedClaim(claim, worker), services.now(),
                "The store cannot read this job: " + claim.damage());
        write(end.withSequel(services.sequelOf(end.job())));
    }

    /** An attempt of a job that never ran, because the store could not read it. */
    private record DamagedClaim(Claim claim, String workerId) implements AttemptFacts {

        @Override
        public Job job() {
            return claim.job();
        }

        @Override
        public Fence fence() {
            return claim.fence();
        }

        @Override
        public boolean hasSaved() {
            return true;
        }

        @Override
        public Optional<List<NewJob>> children() {
            return Optional.empty();
        }

        @Override
        public boolean isAbandoned() {
            return false;
        }
    }

    private void settle(AttemptEnd end, Verdict verdict) {
        afterCommit.ended(end, verdict);
        afterCommit.notifyListeners(end, verdict);
    }

    /** Does not keep the ledger's thread, because sequels, listeners and hooks are code of the application. */
    private void replaceApart(AttemptEnd refused, StoreException refusal) {
        services.env().start("heddle-refused", () -> replace(refused, refusal));
    }

    /** Writes the first of the replacements that the store accepts. */
    private void replace(AttemptEnd refused, StoreException refusal) {
        Job job = refused.run().job();
        StoreException last = refusal;
        List<AttemptEnd> replacements = replacements(refused, refusal);
        for (AttemptEnd end : replacements) {
            Verdict verdict;
            try {
                verdict = services.ledger().writeUninterruptibly(end.change());
            } catch (StoreException e) {
                last = e;
                continue;
            }
            LOG.atError().setCause(refusal).addKeyValue("job", job.id()).addKeyValue("type", job.type())
                    .log("The store refused the end of job {}; it is now {}", job.id(), end.transition().target());
            settle(end, verdict);
            return;
        }
        LOG.atError().setCause(last).addKeyValue("job", job.id()).addKeyValue("type", job.type())
                .log("The store refuses to end job {}; the job will run again", job.id());
        settle(replacements.getLast(), Verdict.LOST);
    }

    /** The sequel may be what the store refuses; a job whose sequel fails ends without one. */
    private List<AttemptEnd> replacements(AttemptEnd refused, StoreException refusal) {
        List<AttemptEnd> replacements = new ArrayList<>();
        if (!refused.sequel().isEmpty()) {
            replacements.add(refused.withSequel(List.of()));
        }
        AttemptEnd failed = refused
                .failed("The store refused to store how this attempt ended: " + refusal.getMessage());
        replacements.add(failed.withSequel(services.sequelOf(failed.job())));
        replacements.add(refused.failed(UNKNOWN_REASON));
        return replacements;
    }
}
