package dev.heddle.pool;

import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.Phase;
import dev.heddle.job.TwoPhaseHandler;
import org.jspecify.annotations.Nullable;

/** How a job type's work is done. */
sealed interface Handling<P, R> {

    /** Does it for one attempt; what it returns counts only where the attempt leaves no children to wait for. */
    @Nullable
    R run(P payload, HandlerContext job) throws Exception;

    void onDead(Job job);

    /** All of it at once. */
    record InOne<P, R>(JobHandler<P, ? extends R> handler) implements Handling<P, R> {

        @Override
        public @Nullable R run(P payload, HandlerContext job) throws Exception {
            return handler.handle(payload, job);
        }

        @Override
        public void onDead(Job job) {
            handler.onDead(job);
        }
    }

    /** First for the children, then with what became of them. */
    record InTwo<P, R>(TwoPhaseHandler<P, ? extends R> handler) implements Handling<P, R> {

        @Override
        public @Nullable R run(P payload, HandlerContext job) throws Exception {
            if (job.phase() == Phase.AGGREGATE) {
                return handler.aggregate(payload, job.children(), job);
            }
            job.gatherChildren();
            handler.ingest(payload, job);
            return null;
        }

        @Override
        public void onDead(Job job) {
            handler.onDead(job);
        }
    }
}
