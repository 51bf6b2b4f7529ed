package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.heddle.job.JobSpec;
import dev.heddle.store.ClaimRequest.Wanted;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a store, with a cache of their ids. A lane is all jobs of one queue and one type that are suspect, or
 * that are not. Lanes are created in pairs and never change or disappear, so a cached id stays valid unless the
 * transaction that created the lane fails. The exception are lanes in which jobs wait for one worker
 * ({@link SessionRows}): they are deleted with the worker and must not be cached for longer than a transaction.
 */
public final class Lanes {

    private final Map<Lane, Long> plain = new ConcurrentHashMap<>();

    /** The jobs of one queue and one type. */
    public record Lane(String queue, String type) {}

    /** Ends the type of a lane whose jobs have limits and wait in groups. No real type has a control character. */
    private static final String LIMITED = "\u001e";

    /** Ends the type of a lane whose jobs have limits and are in no group yet. */
    private static final String ENTERING = "\u001c";

    /** Ends the type of a lane whose jobs wait for the end of others, so that no claim reads it. */
    private static final String BLOCKED = "\u001d";

    /** How the jobs of a lane are claimed. */
    public enum Kind {
        /** Without limits: the first ones. */
        PLAIN,
        /** With limits, in no group yet: the first ones whose keys have room. */
        ENTERING,
        /** With limits: the groups take turns. */
        GROUPED
    }

    /**
     * A lane that may be claimed from, and the request that it serves.
     *
     * @param queue the queue of its jobs
     */
    public record Open(long id, Wanted wanted, String queue, Kind kind) {}

    /** Returns the lanes of a kind. */
    public static List<Open> ofKind(Kind kind, List<Open> lanes) {
        return lanes.stream().filter(lane -> lane.kind == kind).toList();
    }

    /** Returns the lane of a job; if it has limits, that of the jobs in groups. */
    public static Lane of(JobSpec job) {
        return new Lane(job.queue(), job.limits().isEmpty() ? job.type() : limited(job.type()));
    }

    /** Returns the lane of a job with limits that is in no group yet. */
    public static Lane entering(JobSpec job) {
        return new Lane(job.queue(), entering(job.type()));
    }

    /** Returns the lane of a job that waits for the end of another with its dedupe key. */
    public static Lane blocked(JobSpec job) {
        return new Lane(job.queue(), job.type() + BLOCKED);
    }

    /** Returns the lanes that a new job may need. */
    public static List<Lane> possible(JobSpec job) {
        return Stream.of(Stream.of(of(job)), job.limits().isEmpty() ? Stream.<Lane>empty() : Stream.of(entering(job)),
                job.dedupe().isDefault() ? Stream.<Lane>empty() : Stream.of(blocked(job))).flatMap(lanes -> lanes)
                .toList();
    }

    /** Returns the type of the jobs of a lane in which they do not wait for one worker. */
    static String jobType(String type) {
        return type.endsWith(BLOCKED) ? type.substring(0, type.length() - BLOCKED.length()) : unlimited(type);
    }

    /** Returns the type of the lane for jobs with limits that wait in groups. */
    public static String limited(String type) {
        return type + LIMITED;
    }

    /** Returns the type of the lane for jobs with limits that are in no group yet. */
    static String entering(String type) {
        return type + ENTERING;
    }

    static boolean isLimited(String type) {
        return type.endsWith(LIMITED);
    }

    /** Returns the type to claim for the jobs of a lane. */
    static String unlimited(String type) {
        return kind(type) == Kind.PLAIN ? type : type.substring(0, type.length() - 1);
    }

    private static Kind kind(String type) {
        return isLimited(type) ? Kind.GROUPED : type.endsWith(ENTERING) ? Kind.ENTERING : Kind.PLAIN;
    }

    /** Returns the types of the lanes in which jobs of these types are, with and without limits. */
    public static List<String> types(List<Wanted> wanted) {
        return wanted.stream().flatMap(one -> types(one.type()).stream()).toList();
    }

    static List<String> types(String type) {
        return List.of(type, limited(type), entering(type));
    }

    /** Returns the cached id of the lane for jobs that are not suspect; null if it is not cached. */
    public @Nullable Long known(Lane lane) {
        return plain.get(lane);
    }

    /** Returns the id of the lane for jobs that are not suspect, and creates the lane if it does not exist. */
    public long id(Tx tx, Lane lane) throws SQLException {
        Long known = plain.get(lane);
        if (known != null) {
            return known;
        }
        create(tx, lane);
        long id = find(tx, lane, false).orElseThrow(() -> new SQLException(lane + " was created and cannot be found"));
        plain.put(lane, id);
        return id;
    }

    /**
     * Returns the id of the lane in which jobs of an entering lane wait once they are in groups, and creates the lane if
     * it does not exist.
     */
    static long grouped(Tx tx, Open entering) throws SQLException {
        Lane lane = new Lane(entering.queue, limited(entering.wanted.type()));
        boolean suspect = entering.wanted.suspect();
        Optional<Long> found = find(tx, lane, suspect);
        if (found.isEmpty()) {
            create(tx, lane);
            found = find(tx, lane, suspect);
        }
        return found.orElseThrow(() -> new SQLException(lane + " was created and cannot be found"));
    }

    private static void create(Tx tx, Lane lane) throws SQLException {
        tx.update("""
                INSERT INTO heddle.lane (queue, type, suspect) VALUES (?, ?, FALSE), (?, ?, TRUE)
                ON CONFLICT (queue, type, suspect) DO NOTHING""", lane.queue(), lane.type(), lane.queue(), lane.type());
    }

    private static Optional<Long> find(Tx tx, Lane lane, boolean suspect) throws SQLException {
        try (ResultSet rows = tx.query("SELECT id FROM heddle.lane WHERE queue = ? AND type = ? AND "
                + (suspect ? "suspect" : "NOT suspect"), lane.queue(), lane.type())) {
            return rows.next() ? Optional.of(rows.getLong(1)) : Optional.empty();
        }
    }

    /** Empties the cache. Call this after a transaction has failed: lanes that it created do not exist. */
    public void clear() {
        plain.clear();
    }

    /** Adds a lane for each request that it serves. */
    public static void addOpen(List<Open> open, List<Wanted> wanted, long id, String type, boolean suspect,
            String queue) {
        String claimed = unlimited(type);
        for (Wanted one : wanted) {
            if (one.suspect() == suspect && one.type().equals(claimed)) {
                open.add(new Open(id, one, queue, kind(type)));
            }
        }
    }

    /** Returns the lanes of what is wanted, without those of paused queues. */
    public static List<Open> open(Tx tx, List<Wanted> wanted) throws SQLException {
        List<Open> open = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT l.id, l.type, l.suspect, l.queue FROM heddle.lane l
                WHERE NOT EXISTS (SELECT 1 FROM heddle.paused_queue p WHERE p.name = l.queue)""")) {
            while (rows.next()) {
                addOpen(open, wanted, rows.getLong(1), rows.getString(2), rows.getBoolean(3), rows.getString(4));
            }
        }
        return open;
    }
}
