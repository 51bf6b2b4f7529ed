package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.sql.Candidates;
import dev.heddle.sql.Candidates.Candidate;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.Rows;
import dev.heddle.sql.Seqs;
import dev.heddle.sql.Session;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.Claimed;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs in one statement, skipping those that others are claiming. Where several lanes are wanted, a look
 * without locks first says how many to take of each: locking what is not taken would hide it from the others.
 */
final class Claims {

    /** The node's row is locked against its being declared dead; a dead node claims nothing. */
    private static final String ALIVE = """
            WITH alive AS (SELECT 1 FROM heddle.node WHERE id = ? FOR KEY SHARE),
            """;
    private static final String TAKEN = """
            , taken AS (
                UPDATE heddle.live SET state = 'ASSIGNED', attempt = attempt + 1, node = ?, assigned_at = ?,
                       started_at = NULL, care = NULL, progress = NULL
                WHERE ctid = ANY (ARRAY (SELECT place FROM picked))
                RETURNING seq, lane, attempt, failures, crashes, phase)
            SELECT\s""" + Rows.SPEC + """
            , t.attempt, t.failures, t.crashes, t.phase, t.lane
            FROM taken t CROSS JOIN LATERAL (SELECT * FROM heddle.job WHERE seq = t.seq OFFSET 0) j
            ORDER BY j.priority DESC, j.seq""";

    /** The first of each lane that nobody else is about to take. */
    private static final String TAKE = ALIVE + """
            picked AS (
                SELECT job.place FROM unnest(?, ?) AS share (lane, most)
                CROSS JOIN LATERAL (
                    SELECT l.ctid AS place FROM heddle.live l WHERE l.state = 'QUEUED' AND l.lane = share.lane
                    ORDER BY l.priority DESC, l.seq LIMIT share.most FOR UPDATE SKIP LOCKED) job
                WHERE EXISTS (SELECT 1 FROM alive))""" + TAKEN;

    /** These, unless somebody else was quicker; whoever gets fewer than there are looks again. */
    private static final String TAKE_CHOSEN = ALIVE + """
            picked AS (
                SELECT l.ctid AS place FROM heddle.live l
                WHERE l.seq = ANY (?) AND l.state = 'QUEUED' AND EXISTS (SELECT 1 FROM alive)
                ORDER BY l.seq FOR UPDATE SKIP LOCKED)""" + TAKEN;

    private static final String LOOK = """
            SELECT (SELECT min(due_at) FROM heddle.live WHERE state = 'SCHEDULED'), l.id, l.type, l.suspect
            FROM (SELECT 1) one LEFT JOIN heddle.lane l ON l.type = ANY (?)
                AND NOT EXISTS (SELECT 1 FROM heddle.paused_queue p WHERE p.name = l.queue)
                AND (SELECT w.lane FROM heddle.live w WHERE w.state = 'QUEUED' AND w.lane = l.id LIMIT 1) = l.id""";

    private Claims() {}

    static Claimed claim(Session session, ClaimRequest request) throws SQLException {
        Outlook outlook = look(session, request);
        int promoted = 0;
        if (outlook.due() != null && !outlook.due().isAfter(request.now())) {
            promoted = session.update("""
                    UPDATE heddle.live SET state = 'QUEUED', due_at = NULL WHERE ctid = ANY (ARRAY (
                        SELECT ctid FROM heddle.live WHERE state = 'SCHEDULED' AND due_at <= ?
                        FOR UPDATE SKIP LOCKED))""", request.now());
            outlook = look(session, request);
        }
        return new Claimed(take(session, request, outlook.lanes()), promoted, outlook.due());
    }

    private static List<Claimed.Claim> take(Session session, ClaimRequest request, List<Lanes.Open> lanes)
            throws SQLException {
        if (lanes.stream().anyMatch(lane -> !lane.wanted().without().isEmpty())) {
            List<Candidate> chosen = Candidates.choose(session, lanes, request.limit());
            return chosen.isEmpty() ? List.of()
                    : take(session, request, lanes, TAKE_CHOSEN,
                            new Seqs(chosen.stream().map(Candidate::seq).toList()));
        }
        Map<Lanes.Open, Integer> shares = shares(session, lanes, request.limit());
        if (shares.isEmpty()) {
            return List.of();
        }
        Table<Map.Entry<Lanes.Open, Integer>> wanted = new Table<>(List.copyOf(shares.entrySet()));
        return take(session, request, lanes, TAKE, wanted.ints(share -> (int) share.getKey().id()),
                wanted.ints(Map.Entry::getValue));
    }

    /**
     * What there is, in one round trip.
     *
     * @param due when the next SCHEDULED job is due; null where there is none
     * @param lanes those that are wanted, not paused, and not empty
     */
    private record Outlook(@Nullable Instant due, List<Lanes.Open> lanes) {}

    private static Outlook look(Session session, ClaimRequest request) throws SQLException {
        @Nullable Instant due = null;
        List<Lanes.Open> lanes = new ArrayList<>();
        try (ResultSet rows = session.query(LOOK,
                (Object) new Table<>(request.wanted()).texts(ClaimRequest.Wanted::type))) {
            while (rows.next()) {
                due = Rows.time(rows, 1);
                String type = rows.getString(3);
                for (ClaimRequest.Wanted wanted : request.wanted()) {
                    if (wanted.type().equals(type) && wanted.suspect() == rows.getBoolean(4)) {
                        lanes.add(new Lanes.Open(rows.getLong(2), wanted));
                    }
                }
            }
        }
        return new Outlook(due, lanes);
    }

    private static Map<Lanes.Open, Integer> shares(Session session, List<Lanes.Open> lanes, int limit)
            throws SQLException {
        Map<Lanes.Open, Integer> shares = new LinkedHashMap<>();
        if (lanes.size() == 1) {
            Lanes.Open only = lanes.getFirst();
            shares.put(only, Math.min(limit, only.wanted().limit()));
        } else if (!lanes.isEmpty()) {
            for (Candidate candidate : Candidates.choose(session, lanes, limit)) {
                shares.merge(candidate.lane(), 1, Integer::sum);
            }
        }
        return shares;
    }

    private static List<Claimed.Claim> take(Session session, ClaimRequest request, List<Lanes.Open> lanes,
            String sql, Object... which) throws SQLException {
        Map<Integer, Lanes.Open> byId = new HashMap<>();
        lanes.forEach(lane -> byId.put((int) lane.id(), lane));
        List<Object> parameters = new ArrayList<>(List.of(request.node()));
        parameters.addAll(List.of(which));
        Instant assignedAt = request.now().truncatedTo(ChronoUnit.MILLIS);
        List<Claimed.Claim> claims = new ArrayList<>();
        parameters.addAll(List.of(request.node(), assignedAt));
        try (ResultSet rows = session.query(sql, parameters.toArray())) {
            while (rows.next()) {
                Job job = new Job(rows.getLong(1), Rows.spec(rows), JobState.ASSIGNED,
                        Rows.phase(rows, Rows.AFTER_SPEC + 3),
                        new Job.Counts(rows.getInt(Rows.AFTER_SPEC), rows.getInt(Rows.AFTER_SPEC + 1),
                                rows.getInt(Rows.AFTER_SPEC + 2)),
                        new Job.Status(null, request.node(), assignedAt, null, null, null, null, null, null));
                Lanes.Open lane = byId.get(rows.getInt(Rows.AFTER_SPEC + 4));
                claims.add(new Claimed.Claim(job, lane != null && lane.wanted().suspect()));
            }
        }
        return claims;
    }
}
