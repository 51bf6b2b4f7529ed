package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.job.JobState;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Claims jobs: chooses them over the wanted lanes, then assigns them to the node. */
final class Claims {

    private static final String READ = "SELECT " + Rows.CLAIMED_JOB
            + ", l.submitted_at FROM live l JOIN job j ON j.seq = l.seq WHERE l.seq IN (SELECT value FROM json_each(?))";

    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

    private Claims() {}

    static ClaimResult claim(Tx tx, ClaimRequest request) throws SQLException {
        Instant now = tx.now();
        Instant due = nextDue(tx);
        int promoted = 0;
        if (due != null && !due.isAfter(now)) {
            CountRows.promote(tx, now);
            promoted = tx.update(
                    "UPDATE live SET state = 'QUEUED', due_at = NULL WHERE state = 'SCHEDULED' AND due_at <= ?",
                    now);
            due = nextDue(tx);
        }
        List<Lanes.Open> lanes = Lanes.open(tx, request.wanted());
        List<Lanes.Open> plain = Lanes.ofKind(Lanes.Kind.PLAIN, lanes);
        Duration untilDue = due == null ? null : Duration.between(now, due);
        if (plain.size() < lanes.size()) {
            LimitEvents.Outlook limits = LimitEvents.look(tx, lanes, untilDue);
            if (!limits.isQuiet() || !Lanes.ofKind(Lanes.Kind.ENTERING, withJobs(tx, lanes)).isEmpty()) {
                return new ClaimResult(claimLimited(tx, request), promoted, LimitEvents.sooner(tx, untilDue));
            }
            untilDue = limits.untilDue();
        }
        return new ClaimResult(assign(tx, request, ClaimCandidates.choose(tx, plain, request.limit())), promoted,
                untilDue);
    }

    private static List<ClaimResult.Claim> claimLimited(Tx tx, ClaimRequest request) throws SQLException {
        List<ClaimResult.Claim> claims = new ArrayList<>();
        ClaimRequest rest;
        LimitClaims page;
        List<ClaimResult.Claim> more;
        int pages = 0;
        do {
            rest = LimitClaims.rest(request, claims);
            while (LimitEvents.pending(tx) && LimitEvents.process(tx)) {
                // There are more.
            }
            List<Lanes.Open> lanes = withJobs(tx, Lanes.open(tx, rest.wanted()));
            page = LimitClaims.look(tx, lanes, rest.limit());
            more = assign(tx, request, page.merge(
                    ClaimCandidates.choose(tx, Lanes.ofKind(Lanes.Kind.PLAIN, lanes), rest.limit())));
            page.claimed(more);
            claims.addAll(more);
        } while (LimitClaims.goesOn(tx, rest, more, page) && ++pages < LimitClaims.MAX_PAGES);
        return claims;
    }

    private static List<Lanes.Open> withJobs(Tx tx, List<Lanes.Open> lanes) throws SQLException {
        Set<Long> found = new HashSet<>();
        try (ResultSet rows = tx.query("""
                SELECT n.value FROM json_each(?) n
                WHERE EXISTS (SELECT 1 FROM live WHERE state = 'QUEUED' AND lane = n.value)""",
                new SeqList(lanes.stream().map(Lanes.Open::id).toList()))) {
            while (rows.next()) {
                found.add(rows.getLong(1));
            }
        }
        return lanes.stream().filter(lane -> found.contains(lane.id())).toList();
    }

    private static @Nullable Instant nextDue(Tx tx) throws SQLException {
        try (ResultSet rows = tx.query("SELECT min(due_at) FROM live WHERE state = 'SCHEDULED'")) {
            return rows.next() ? Rows.time(rows, 1) : null;
        }
    }

    private static List<ClaimResult.Claim> assign(Tx tx, ClaimRequest request, List<Candidate> chosen)
            throws SQLException {
        if (chosen.isEmpty()) {
            return List.of();
        }
        SeqList seqs = new SeqList(chosen.stream().map(Candidate::seq).toList());
        tx.update("""
                UPDATE live SET state = 'ASSIGNED', attempt = attempt + 1, node = ?, assigned_at = ?, started_at = NULL,
                       care = NULL, progress = NULL
                WHERE seq IN (SELECT value FROM json_each(?))""", request.node(), request.now(), seqs);
        Map<CountRows.Moved, Long> moved = new HashMap<>();
        chosen.forEach(candidate -> moved.merge(new CountRows.Moved(candidate.lane().queue(),
                candidate.lane().wanted().type(), JobState.QUEUED, JobState.ASSIGNED), 1L, Long::sum));
        CountRows.add(tx, moved);
        Instant now = tx.now().truncatedTo(ChronoUnit.MILLIS);
        Instant assignedAt = request.now().truncatedTo(ChronoUnit.MILLIS);
        Map<Long, Candidate> bySeq = HashMap.newHashMap(chosen.size());
        chosen.forEach(candidate -> bySeq.put(candidate.seq(), candidate));
        Map<Long, ClaimResult.Claim> claims = HashMap.newHashMap(chosen.size());
        try (ResultSet rows = tx.query(READ, seqs)) {
            while (rows.next()) {
                Candidate candidate = Objects.requireNonNull(bySeq.get(rows.getLong(1)));
                ClaimResult.Claim claim = Rows.claimedJob(rows, request.node(), assignedAt, candidate.lane().wanted());
                Instant submitted = Rows.time(rows, Rows.AFTER_CLAIMED_JOB);
                claims.put(candidate.seq(), submitted == null ? claim
                        : claim.submittedAt(request.elapsed().minus(Duration.between(submitted, now))));
            }
        }
        return chosen.stream().flatMap(candidate -> {
            ClaimResult.Claim claim = claims.get(candidate.seq());
            if (claim == null) {
                LOG.error("The database is damaged: job {} is live and has no row in job; nobody can run it",
                        candidate.seq());
            }
            return Stream.ofNullable(claim);
        }).toList();
    }
}
