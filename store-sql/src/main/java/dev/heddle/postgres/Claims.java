package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.sql.ClaimCandidates;
import dev.heddle.sql.ClaimCandidates.Candidate;
import dev.heddle.sql.CountRows;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.LimitClaims;
import dev.heddle.sql.LimitEvents;
import dev.heddle.sql.Rows;
import dev.heddle.sql.SeqList;
import dev.heddle.sql.Tx;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs in one statement that skips jobs which other nodes are claiming. If several lanes are wanted, a query
 * without locks first finds out how many to take from each: a lock on a job that is not taken would hide it from
 * other nodes.
 */
final class Claims {

    /** Locks the node's row, so the node cannot be declared dead meanwhile. A dead node claims nothing. */
    private static final String ALIVE = """
            WITH alive AS (SELECT 1 FROM heddle.node WHERE id = ? FOR KEY SHARE),
            """;
    private static final String CLAIMED = """
            , claimed AS (
                UPDATE heddle.live SET state = 'ASSIGNED', attempt = attempt + 1, node = ?, assigned_at = ?,
                       started_at = NULL, care = NULL, progress = NULL
                WHERE ctid = ANY (ARRAY (SELECT place FROM picked))
                RETURNING seq, lane, attempt, failures, crashes, phase, suspicion, submitted_at)
            """ + CountRows.counting("claimed", "'QUEUED'", "'ASSIGNED'") + """
            SELECT\s""" + Rows.CLAIMED_JOB + """
            , l.lane, (extract(epoch FROM heddle.now() - l.submitted_at) * 1000)::bigint
            FROM claimed l CROSS JOIN LATERAL (SELECT * FROM heddle.job WHERE seq = l.seq OFFSET 0) j
            ORDER BY j.priority DESC, j.seq""";

    /** Claims the first jobs of each lane that no other node has locked. */
    private static final String CLAIM_FIRST = ALIVE + """
            picked AS (
                SELECT job.place FROM unnest(?, ?) AS share (lane, most)
                CROSS JOIN LATERAL (
                    SELECT l.ctid AS place FROM heddle.live l WHERE l.state = 'QUEUED' AND l.lane = share.lane
                    ORDER BY l.priority DESC, l.seq LIMIT share.most FOR UPDATE SKIP LOCKED) job
                WHERE EXISTS (SELECT 1 FROM alive))""" + CLAIMED;

    /**
     * Claims the given jobs, except those that another node got first or moved to another lane. A node that gets fewer
     * than it wanted asks again. The sum keeps PostgreSQL from reading whole lanes.
     */
    private static final String CLAIM_CHOSEN = ALIVE + """
            picked AS (
                SELECT l.ctid AS place FROM heddle.live l
                WHERE l.seq = ANY (?) AND l.lane + 0 = ANY (?) AND l.state = 'QUEUED' AND EXISTS (SELECT 1 FROM alive)
                ORDER BY l.seq FOR UPDATE SKIP LOCKED)""" + CLAIMED;

    static final String LOOK = """
            SELECT (SELECT ceil(extract(epoch FROM min(due_at) - heddle.now()) * 1000)::bigint FROM heddle.live
                    WHERE state = 'SCHEDULED'), l.id, l.type, l.suspect, l.queue
            FROM (SELECT 1) one LEFT JOIN heddle.lane l ON l.type = ANY (?)
                AND NOT EXISTS (SELECT 1 FROM heddle.paused_queue p WHERE p.name = l.queue)
                AND (SELECT w.lane FROM heddle.live w WHERE w.state = 'QUEUED' AND w.lane = l.id LIMIT 1) = l.id""";

    static final String PROMOTE = """
            WITH promoted AS (
                UPDATE heddle.live SET state = 'QUEUED', due_at = NULL WHERE ctid = ANY (ARRAY (
                    SELECT ctid FROM heddle.live WHERE state = 'SCHEDULED' AND due_at <= heddle.now()
                    FOR UPDATE SKIP LOCKED))
                RETURNING lane)
            """ + CountRows.counting("promoted", "'SCHEDULED'", "'QUEUED'") + "SELECT count(*) FROM promoted";

    private Claims() {}

    private static int promote(Tx tx) throws SQLException {
        try (ResultSet row = tx.query(PROMOTE)) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    /**
     * A claim without a transaction.
     *
     * @param result null if jobs with limits may start, which needs one
     * @param outlook what could be claimed
     */
    record Tried(@Nullable ClaimResult result, int promoted, Outlook outlook) {}

    static Tried claim(Tx tx, ClaimRequest request) throws SQLException {
        Outlook outlook = look(tx, request);
        int promoted = 0;
        if (outlook.untilDue() != null && !outlook.untilDue().isPositive()) {
            promoted = promote(tx);
            outlook = look(tx, request);
        }
        List<Lanes.Open> plain = Lanes.ofKind(Lanes.Kind.PLAIN, outlook.lanes());
        Duration untilDue = outlook.untilDue();
        if (!Lanes.ofKind(Lanes.Kind.ENTERING, outlook.lanes()).isEmpty()) {
            return new Tried(null, promoted, outlook);
        }
        if (plain.size() < outlook.lanes().size()) {
            LimitEvents.Outlook limits = LimitEvents.look(tx, outlook.lanes(), untilDue);
            if (!limits.isQuiet()) {
                return new Tried(null, promoted, outlook);
            }
            untilDue = limits.untilDue();
        }
        return new Tried(new ClaimResult(claim(tx, request, plain), promoted, untilDue), promoted, outlook);
    }

    /**
     * Claims once in a transaction that locks the keys of limits.
     *
     * @param seen what could be claimed, if that was looked up just before
     */
    static ClaimedPage claimLimited(Tx tx, ClaimRequest request, @Nullable Outlook seen) throws SQLException {
        Outlook outlook = seen == null ? look(tx, request) : seen;
        List<Lanes.Open> plain = Lanes.ofKind(Lanes.Kind.PLAIN, outlook.lanes());
        LimitClaims page = LimitClaims.look(tx, outlook.lanes(), request.limit());
        List<ClaimResult.Claim> claims;
        if (page.hasPicks()) {
            List<Candidate> chosen = page.merge(ClaimCandidates.choose(tx, plain, request.limit()));
            claims = claimChosen(tx, request, outlook.lanes(), chosen);
        } else {
            claims = claim(tx, request, plain);
        }
        page.claimed(claims);
        return new ClaimedPage(claims, LimitClaims.goesOn(tx, request, claims, page),
                page.untilDue(outlook.untilDue()));
    }

    /** What one page of a claim with limits brought. */
    record ClaimedPage(List<ClaimResult.Claim> claims, boolean goesOn, @Nullable Duration untilDue) {}

    /**
     * What could be claimed, read in one round trip.
     *
     * @param untilDue how long until the next SCHEDULED job is due; null if there is none
     * @param lanes those that are wanted, not paused, and not empty
     */
    record Outlook(@Nullable Duration untilDue, List<Lanes.Open> lanes) {}

    private static Outlook look(Tx tx, ClaimRequest request) throws SQLException {
        @Nullable Duration untilDue = null;
        List<Lanes.Open> lanes = new ArrayList<>();
        try (ResultSet rows = tx.query(LOOK,
                (Object) new ArrayColumns<>(Lanes.types(request.wanted())).texts(type -> type))) {
            while (rows.next()) {
                Long millis = Rows.number(rows, 1);
                untilDue = millis == null ? null : Duration.ofMillis(millis);
                String type = rows.getString(3);
                if (type != null) {
                    Lanes.addOpen(lanes, request.wanted(), rows.getLong(2), type, rows.getBoolean(4),
                            rows.getString(5));
                }
            }
        }
        return new Outlook(untilDue, lanes);
    }

    private static List<ClaimResult.Claim> claim(Tx tx, ClaimRequest request, List<Lanes.Open> lanes)
            throws SQLException {
        if (lanes.stream().map(Lanes.Open::wanted)
                .anyMatch(wanted -> wanted.suspect() || !wanted.excludedTags().isEmpty())) {
            return claimChosen(tx, request, lanes, ClaimCandidates.choose(tx, lanes, request.limit()));
        }
        Map<Lanes.Open, Integer> shares = shares(tx, lanes, request.limit());
        if (shares.isEmpty()) {
            return List.of();
        }
        ArrayColumns<Map.Entry<Lanes.Open, Integer>> wanted = new ArrayColumns<>(List.copyOf(shares.entrySet()));
        return claim(tx, request, lanes, CLAIM_FIRST, wanted.ints(share -> (int) share.getKey().id()),
                wanted.ints(Map.Entry::getValue));
    }

    private static List<ClaimResult.Claim> claimChosen(Tx tx, ClaimRequest request, List<Lanes.Open> lanes,
            List<Candidate> chosen) throws SQLException {
        return chosen.isEmpty() ? List.of() : claim(tx, request, lanes, CLAIM_CHOSEN,
                new SeqList(chosen.stream().map(Candidate::seq).toList()),
                new SeqList(lanes.stream().map(Lanes.Open::id).toList()));
    }

    /** Returns how many jobs to take from each lane. */
    private static Map<Lanes.Open, Integer> shares(Tx tx, List<Lanes.Open> lanes, int limit) throws SQLException {
        Map<Lanes.Open, Integer> shares = new LinkedHashMap<>();
        if (lanes.size() == 1) {
            Lanes.Open only = lanes.getFirst();
            shares.put(only, Math.min(limit, only.wanted().limit()));
        } else if (!lanes.isEmpty()) {
            for (Candidate candidate : ClaimCandidates.choose(tx, lanes, limit)) {
                shares.merge(candidate.lane(), 1, Integer::sum);
            }
        }
        return shares;
    }

    private static List<ClaimResult.Claim> claim(Tx tx, ClaimRequest request, List<Lanes.Open> lanes, String sql,
            Object... which) throws SQLException {
        Map<Integer, Lanes.Open> byId = new HashMap<>();
        lanes.forEach(lane -> byId.put((int) lane.id(), lane));
        Instant assignedAt = request.now().truncatedTo(ChronoUnit.MILLIS);
        List<Object> parameters = new ArrayList<>(List.of(request.node()));
        parameters.addAll(List.of(which));
        parameters.addAll(List.of(request.node(), assignedAt));
        List<ClaimResult.Claim> claims = new ArrayList<>();
        try (ResultSet rows = tx.query(sql, parameters.toArray())) {
            while (rows.next()) {
                Lanes.Open lane = byId.get(rows.getInt(Rows.AFTER_CLAIMED_JOB));
                ClaimResult.Claim claim = Rows.claimedJob(rows, request.node(), assignedAt,
                        lane == null ? null : lane.wanted());
                Long age = Rows.number(rows, Rows.AFTER_CLAIMED_JOB + 1);
                claims.add(age == null ? claim : claim.submittedAt(request.elapsed().minusMillis(age)));
            }
        }
        return claims;
    }
}
