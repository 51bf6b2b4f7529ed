package dev.heddle.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Which worker has which client's session, kept beside the jobs so that all nodes agree. A store that has sessions
 * implements this too.
 *
 * <p>A job whose worker is busy, or on another node, is {@link #park parked}: it waits in a lane of its own, which only the
 * node of that worker asks for, and costs the claims of others nothing.
 */
public interface SessionStore {

    /** Binds each session to who bids for it, unless it is bound; for each bid, in order, what holds now. */
    List<Binding> bind(List<Bid> bids, Instant now);

    /**
     * Moves claimed jobs into the lanes of their workers, where their fences hold and the workers still have sessions;
     * whoever claimed them hands them back.
     */
    void park(List<Parking> jobs);

    /** Ends bindings; returns those that were. What is parked for workers without any session can be claimed by all again. */
    List<Binding> release(Release which, Instant now);

    /** These were used. */
    void touch(Collection<Binding> used, Instant now);

    /** The most recently bound first; lost ones too. */
    List<Binding> sessions(int limit);

    /** What to ask for to get the jobs of a type that are parked for a worker. No name of a type has a control character. */
    static String parkedType(String type, String worker) {
        return type + '\u001f' + worker;
    }

    /** The worker for which jobs of such a type are parked. */
    static String parkedWorker(String parkedType) {
        return parkedType.substring(plainType(parkedType).length() + 1);
    }

    /** The type of what is asked for, parked or not. */
    static String plainType(String wanted) {
        int end = wanted.indexOf('\u001f');
        return end < 0 ? wanted : wanted.substring(0, end);
    }

    /**
     * A worker would have a session.
     *
     * @param seq the number of the job that needs it
     * @param node where the worker is
     * @param strict whether the session is lost with its worker
     */
    record Bid(String type, String session, long seq, String worker, String node, boolean strict) {}

    /**
     * Who has a session.
     *
     * @param worker null where its worker was lost and no other has it yet
     * @param lostSeq jobs up to this number were meant for a worker that was lost; 0 where none was
     */
    record Binding(String type, String session, @Nullable String worker, String node, boolean strict,
            Instant boundAt,
            Instant usedAt, long lostSeq) {

        public Binding usedAt(Instant time) {
            return new Binding(type, session, worker, node, strict, boundAt, time, lostSeq);
        }
    }

    /** A claimed job that is to wait for a worker. */
    record Parking(Fence fence, String queue, String type, String worker) {}

    /** Which bindings end. Strict ones are remembered as lost, unless there is no job that would have to be told. */
    sealed interface Release {
        /** A session, whatever types have it, lost or not; it is forgotten where none of its jobs waits or runs. */
        record One(String session) implements Release {}

        /** All of a worker. */
        record OfWorker(String worker) implements Release {}

        /** All whose node is gone. */
        record OfDeadNodes() implements Release {}

        /** Those of a node, and lost ones, that were not used since a time and have no job that waits or runs. */
        record Idle(String node, Instant since) implements Release {}
    }
}
