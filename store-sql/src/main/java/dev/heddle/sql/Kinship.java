package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.job.JobState;
import dev.heddle.store.Families;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction does to the families of the jobs that it is about. Children are cancelled within it, so that none
 * starts once its parent has ended. Parents are woken after its commit: of two nodes that end the last two children at
 * the same moment, neither sees the other's end before that, and who looks after the second commit sees both.
 */
public final class Kinship {

    /** Finds out without counting, from the end that is at work for longest: see {@code live_children}. */
    private static final String WAITS_FOR_NOBODY = """
            state = 'WAITING' AND (SELECT c.seq FROM heddle.live c WHERE c.parent = live.seq
                                   ORDER BY c.seq DESC LIMIT 1) IS NULL""";
    private static final int MOST_WOKEN = 1_000;

    private final List<Loss> losses = new ArrayList<>();
    private final Set<String> nodes = new HashSet<>();
    private int cancelled;

    /** A parent has one child fewer at work, by this actor at this time. */
    public record Loss(long parent, String actor, Instant at) {}

    /** A job is no child at work any more; nothing happens where it had no parent. */
    public void lost(@Nullable Long parent, String actor, Instant at) {
        if (parent != null) {
            losses.add(new Loss(parent, actor, at));
        }
    }

    /** The parents that may have nobody left to wait for. */
    public List<Loss> losses() {
        return losses;
    }

    /** Who runs children that were cancelled. */
    public Set<String> nodes() {
        return nodes;
    }

    public boolean hasCancelled() {
        return cancelled > 0;
    }

    public void add(Kinship other) {
        losses.addAll(other.losses);
        nodes.addAll(other.nodes);
        cancelled += other.cancelled;
    }

    /** All descendants at work, generation by generation, but for those that outlive their parents; says how many. */
    public int cancelChildren(Session session, Collection<Long> parents, String reason, String actor,
            Instant at) throws SQLException {
        int before = cancelled;
        Collection<Long> generation = parents;
        while (!generation.isEmpty()) {
            List<Long> waiting = new ArrayList<>();
            List<Long> running = new ArrayList<>();
            // In the order in which everybody locks.
            try (ResultSet rows = session.query("""
                    SELECT l.seq, l.node FROM heddle.live l
                    WHERE l.state <> 'CANCELLED'
                      AND (SELECT j.outlives_parent FROM heddle.job j WHERE j.seq = l.seq) IS NULL
                      AND l.parent""" + session.dialect().anyOf() + " ORDER BY l.seq"
                    + session.dialect().forUpdate(), new Seqs(generation))) {
                while (rows.next()) {
                    String node = rows.getString(2);
                    (node == null ? waiting : running).add(rows.getLong(1));
                    if (node != null) {
                        nodes.add(node);
                    }
                }
            }
            end(session, waiting, reason, actor, at);
            mark(session, running, reason, actor, at);
            generation = Stream.concat(waiting.stream(), running.stream()).toList();
            cancelled += generation.size();
        }
        return cancelled - before;
    }

    private static void end(Session session, List<Long> children, String reason, String actor, Instant at)
            throws SQLException {
        if (!children.isEmpty()) {
            note(session, children, reason, actor, at);
            String these = " FROM heddle.live WHERE seq" + session.dialect().anyOf();
            session.update("""
                    INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                    SELECT seq, 'CANCELLED', ?""" + session.dialect().asTime()
                    + ", attempt, failures, crashes, ?, phase" + these, at, reason, new Seqs(children));
            session.update("DELETE" + these, new Seqs(children));
        }
    }

    /** Whoever runs them is told, and ends them. */
    private static void mark(Session session, List<Long> children, String reason, String actor, Instant at)
            throws SQLException {
        if (!children.isEmpty()) {
            note(session, children, reason, actor, at);
            session.update("UPDATE heddle.live SET state = 'CANCELLED', reason = ? WHERE seq"
                    + session.dialect().anyOf(), reason, new Seqs(children));
        }
    }

    private static void note(Session session, List<Long> children, String reason, String actor, Instant at)
            throws SQLException {
        session.update("""
                INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at)
                SELECT seq, state, 'CANCELLED', ?, ?, ?""" + session.dialect().asTime()
                + " FROM heddle.live WHERE seq" + session.dialect().anyOf(), reason, actor, at,
                new Seqs(children));
    }

    /** Those of the parents that wait for nobody. */
    static Set<Long> ready(Session session, List<Loss> losses) throws SQLException {
        return seqs(session, "SELECT seq FROM heddle.live WHERE seq" + session.dialect().anyOf() + " AND "
                + WAITS_FOR_NOBODY, new Seqs(losses.stream().map(Loss::parent).distinct().toList()));
    }

    /** Some of all parents that wait for nobody: whoever should have woken them did not get that far. */
    static Set<Long> allReady(Session session) throws SQLException {
        return seqs(session, "SELECT seq FROM heddle.live WHERE " + WAITS_FOR_NOBODY + " LIMIT ?",
                MOST_WOKEN);
    }

    private static Set<Long> seqs(Session session, String sql, Object parameter) throws SQLException {
        Set<Long> seqs = new HashSet<>();
        try (ResultSet rows = session.query(sql, parameter)) {
            while (rows.next()) {
                seqs.add(rows.getLong(1));
            }
        }
        return seqs;
    }

    /** Lets parents go on, each only if it still waits for nobody; says how many did. */
    static int wake(Session session, Collection<Loss> parents) throws SQLException {
        int woken = 0;
        for (Loss parent : parents) {
            if (session.update(
                    "UPDATE heddle.live SET state = 'QUEUED' WHERE seq = ? AND " + WAITS_FOR_NOBODY,
                    parent.parent()) == 1) {
                History.add(session, parent.parent(), JobState.WAITING, JobState.QUEUED, Families.ALL_ENDED,
                        parent.actor(), parent.at());
                woken++;
            }
        }
        return woken;
    }
}
