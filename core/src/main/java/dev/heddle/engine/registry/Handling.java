package dev.heddle.engine.registry;

import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.Phase;
import dev.heddle.job.TwoPhaseHandler;
import org.jspecify.annotations.Nullable;

/** The handler of a job type, in one phase or two. */
public sealed interface Handling<P, R> {

    /** Runs one attempt. The returned value is ignored if the attempt leaves children to wait for. */
    @Nullable R run(P payload, PhaseContext job) throws Exception;

    /** Calls the handler's hook for a dead-lettered job. */
    void onDead(Job job);

    /** A handler that does all work at once. */
    record SinglePhase<P, R>(JobHandler<P, ? extends R> handler) implements Handling<P, R> {

        @Override
        public @Nullable R run(P payload, PhaseContext job) throws Exception {
            return handler.handle(payload, job);
        }

        @Override
        public void onDead(Job job) {
            handler.onDead(job);
        }
    }

    /** A handler that first creates children and then, once they have ended, aggregates their results. */
    record TwoPhase<P, R>(TwoPhaseHandler<P, ? extends R> handler) implements Handling<P, R> {

        @Override
        public @Nullable R run(P payload, PhaseContext job) throws Exception {
            if (job.phase() == Phase.AGGREGATE) {
                return handler.aggregate(payload, job.children(), job);
            }
            job.collectChildren();
            handler.ingest(payload, job);
            return null;
        }

        @Override
        public void onDead(Job job) {
            handler.onDead(job);
        }
    }
}
