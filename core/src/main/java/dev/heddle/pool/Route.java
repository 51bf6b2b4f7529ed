package dev.heddle.pool;

import java.util.Set;

import dev.heddle.store.SessionStore.Binding;

/** Where a job with a session goes. */
sealed interface Route {

    /** To any worker. */
    record Anywhere() implements Route {}

    /**
     * To a worker of this node.
     *
     * @param known whether it had the session before this job
     */
    record To(String worker, boolean known) implements Route {}

    /** To a worker of another node. */
    record Elsewhere(String worker) implements Route {}

    /** Nowhere: the worker it was meant for is gone. */
    record Lost() implements Route {}

    /**
     * Decides by who has the session.
     *
     * @param seq the number of the job
     * @param here the workers of this node
     * @param known whether this node knew the binding before
     */
    static Route of(Binding binding, long seq, Set<String> here, boolean known) {
        String worker = binding.worker();
        if (binding.strict() && binding.lostSeq() >= seq) {
            return new Lost();
        }
        if (worker == null) {
            return new Anywhere();
        }
        if (here.contains(worker)) {
            return new To(worker, known);
        }
        return binding.strict() ? new Elsewhere(worker) : new Anywhere();
    }
}
