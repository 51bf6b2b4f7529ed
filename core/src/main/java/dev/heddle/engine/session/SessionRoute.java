package dev.heddle.engine.session;

import java.util.Set;

import dev.heddle.store.SessionStore.Binding;

/** Where a job with a session goes. */
sealed interface SessionRoute {

    /** To any worker. */
    record Anywhere() implements SessionRoute {}

    /**
     * To a worker of this node.
     *
     * @param known whether it had the session before this job
     */
    record To(String worker, boolean known) implements SessionRoute {}

    /** To a worker of another node. */
    record Elsewhere(String worker) implements SessionRoute {}

    /**
     * Nowhere, because its session has ended.
     *
     * @param dropped whether the session was dropped, rather than lost with its worker
     */
    record Lost(boolean dropped) implements SessionRoute {}

    /**
     * Decides where a job goes.
     *
     * @param seq the number of the job
     * @param here the workers of this node
     * @param known whether this node knew the binding before
     */
    static SessionRoute of(Binding binding, long seq, Set<String> here, boolean known) {
        String worker = binding.worker();
        if (binding.strict() && binding.lostSeq() >= seq) {
            return new Lost(binding.dropped());
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
