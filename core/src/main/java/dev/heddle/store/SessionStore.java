package dev.heddle.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An optional capability of a {@link Store}: remembers which worker has which client's session, so that all nodes
 * agree.
 *
 * <p>A job whose worker is busy or on another node is {@link #park parked}: only the node of that worker asks for it,
 * so it costs the claims of other nodes nothing.
 *
 * <p>When a session was bound or used is up to the clock of the store.
 */
public interface SessionStore {

    /**
     * Binds sessions to workers, unless they are bound already.
     *
     * @return the binding that holds now, for each request, in order
     */
    List<Binding> bind(List<BindRequest> requests);

    /**
     * Parks claimed jobs for their workers, if their fences hold and the workers still have sessions. The caller has to
     * release the claims.
     */
    void park(List<Parking> jobs);

    /**
     * Ends bindings. Jobs that are parked for workers without any session can then be claimed by every node.
     *
     * @return the bindings that ended
     */
    List<Binding> release(Release which);

    /** Records that sessions were used now. */
    void touch(Collection<Binding> used);

    /** Returns bindings, the most recent first, including lost ones. */
    List<Binding> sessions(int limit);

    /**
     * Returns the type to claim for the jobs of a type that are parked for a worker. No real type contains a control
     * character.
     */
    static String parkedType(String type, String worker) {
        return type + '\u001f' + worker;
    }

    /** Returns the worker of a {@link #parkedType}. */
    static String parkedWorker(String parkedType) {
        return parkedType.substring(plainType(parkedType).length() + 1);
    }

    /** Returns the job type of a type to claim, whether that is a {@link #parkedType} or not. */
    static String plainType(String wanted) {
        int end = wanted.indexOf('\u001f');
        return end < 0 ? wanted : wanted.substring(0, end);
    }

    /**
     * A request to bind a session to a worker.
     *
     * @param type the name of the job type
     * @param session the session
     * @param seq the job that needs it, by its place in the order of submission
     * @param worker the worker
     * @param node the node of the worker
     * @param strict whether the session is lost with its worker
     */
    record BindRequest(String type, String session, long seq, String worker, String node, boolean strict) {}

    /**
     * A session and the worker that has it.
     *
     * @param type the name of the job type
     * @param session the session
     * @param worker the worker; null if it was lost and no other worker has the session yet
     * @param node the node of the worker
     * @param strict whether the session is lost with its worker
     * @param boundAt when the session was bound
     * @param usedAt when it was last used
     * @param lostSeq jobs up to this place in the order of submission belong to a worker that was lost; 0 if none was
     * @param dropped whether these jobs lost their worker because the session was ended on request
     */
    record Binding(String type, String session, @Nullable String worker, String node, boolean strict, Instant boundAt,
            Instant usedAt, long lostSeq, boolean dropped) {

        /** Returns a copy that was last used at a time. */
        public Binding withUsedAt(Instant time) {
            return new Binding(type, session, worker, node, strict, boundAt, time, lostSeq, dropped);
        }
    }

    /**
     * A claimed job that has to wait for a worker.
     *
     * @param fence the claim
     * @param queue the queue of the job
     * @param type its type
     * @param worker the worker it waits for
     */
    record Parking(Fence fence, String queue, String type, String worker) {}

    /** Which bindings to end. Strict ones are remembered as lost, unless there is no job that has to learn of it. */
    sealed interface Release {

        /**
         * All bindings of a session, for every type, lost or not. They are forgotten if none of their jobs waits or
         * runs.
         *
         * @param session the session
         */
        record OfSession(String session) implements Release {}

        /**
         * All bindings of a worker.
         *
         * @param worker the worker
         */
        record OfWorker(String worker) implements Release {}

        /** All bindings whose node is gone. */
        record OfDeadNodes() implements Release {}

        /**
         * All bindings of a node, and all lost ones, that were not used lately and have no job that waits or runs.
         *
         * @param node the node
         * @param unused how long they were not used
         */
        record Idle(String node, Duration unused) implements Release {}
    }
}
