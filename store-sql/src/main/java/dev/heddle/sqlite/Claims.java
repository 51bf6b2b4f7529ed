package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Claimed;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs. Each lane has its own stretch of the index, in claiming order, and SQLite merges the stretches of
 * the wanted lanes; so jobs nobody here can run, in other lanes, cost nothing however many and urgent they are.
 */
final class Claims {

    /** SQLite allows 500 terms in a compound select. */
    private static final int MOST_TERMS = 200;

    private static final String READ = "SELECT " + Rows.SPEC + """
            , l.attempt, l.failures, l.crashes FROM live l JOIN job j ON j.seq = l.seq
            WHERE l.seq IN (SELECT value FROM json_each(?))""";

    private final Lanes lanes;

    Claims(Lanes lanes) {
        this.lanes = lanes;
    }

    private record Term(long lane, Wanted wanted) {}

    private record Candidate(long seq, int priority, Wanted wanted) {}

    private static final Comparator<Candidate> CLAIM_ORDER = Comparator.comparingInt(Candidate::priority)
            .reversed().thenComparingLong(Candidate::seq);

    Claimed claim(Session session, ClaimRequest request) throws SQLException {
        lanes.load(session);
        long now = request.now().toEpochMilli();
        Instant due = nextDue(session);
        int promoted = 0;
        if (due != null && due.toEpochMilli() <= now) {
            promoted = session.update(
                    "UPDATE live SET state = 'QUEUED', due_at = NULL WHERE state = 'SCHEDULED' AND due_at <= ?",
                    now);
            due = nextDue(session);
        }
        List<Candidate> chosen = choose(candidates(session, terms(request), request.limit()),
                request.limit());
        return new Claimed(chosen.isEmpty() ? List.of() : take(session, request, chosen), promoted, due);
    }

    private static @Nullable Instant nextDue(Session session) throws SQLException {
        try (ResultSet rows = session.query("SELECT min(due_at) FROM live WHERE state = 'SCHEDULED'")) {
            return rows.next() ? Rows.time(rows, 1) : null;
        }
    }

    private List<Term> terms(ClaimRequest request) {
        List<Term> terms = new ArrayList<>();
        for (Wanted wanted : request.wanted()) {
            lanes.all().forEach((lane, id) -> {
                if (lane.type().equals(wanted.type()) && lane.suspect() == wanted.suspect()
                        && !lanes.isPaused(lane.queue())) {
                    terms.add(new Term(id, wanted));
                }
            });
        }
        return terms;
    }

    private static List<Candidate> candidates(Session session, List<Term> terms, int limit)
            throws SQLException {
        List<Candidate> candidates = new ArrayList<>();
        for (int from = 0; from < terms.size(); from += MOST_TERMS) {
            merge(session, terms.subList(from, Math.min(from + MOST_TERMS, terms.size())), limit, candidates);
        }
        candidates.sort(CLAIM_ORDER);
        return candidates;
    }

    private static void merge(Session session, List<Term> terms, int limit, List<Candidate> into)
            throws SQLException {
        // A limited lane may offer jobs that its type's limit then refuses; others must still fill the claim.
        int extra = 0;
        List<Object> parameters = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < terms.size(); i++) {
            Term term = terms.get(i);
            boolean limited = term.wanted().limit() < limit;
            String select = "SELECT seq, priority, " + i + " FROM live WHERE state = 'QUEUED' AND lane = ?";
            sql.append(i == 0 ? "" : "\nUNION ALL ");
            parameters.add(term.lane());
            if (limited) {
                sql.append("SELECT * FROM (").append(select).append(" ORDER BY priority DESC, seq LIMIT ?)");
                parameters.add(term.wanted().limit());
                extra += term.wanted().limit();
            } else {
                sql.append(select);
            }
        }
        sql.append("\nORDER BY 2 DESC, 1 LIMIT ?");
        parameters.add(limit + extra);
        try (ResultSet rows = session.query(sql.toString(), parameters.toArray())) {
            while (rows.next()) {
                into.add(new Candidate(rows.getLong(1), rows.getInt(2), terms.get(rows.getInt(3)).wanted()));
            }
        }
    }

    private static List<Candidate> choose(List<Candidate> candidates, int limit) {
        List<Candidate> chosen = new ArrayList<>();
        Map<Wanted, Integer> taken = new HashMap<>();
        for (Candidate candidate : candidates) {
            if (chosen.size() < limit
                    && taken.merge(candidate.wanted(), 1, Integer::sum) <= candidate.wanted().limit()) {
                chosen.add(candidate);
            }
        }
        return chosen;
    }

    private static List<Claimed.Claim> take(Session session, ClaimRequest request, List<Candidate> chosen)
            throws SQLException {
        String seqs = chosen.stream().map(c -> Long.toString(c.seq()))
                .collect(Collectors.joining(",", "[", "]"));
        session.update(
                """
                        UPDATE live SET state = 'ASSIGNED', attempt = attempt + 1, node = ?, assigned_at = ?, started_at = NULL,
                               start_committed = NULL, progress = NULL
                        WHERE seq IN (SELECT value FROM json_each(?))""",
                request.node(), request.now().toEpochMilli(), seqs);
        Instant assignedAt = Instant.ofEpochMilli(request.now().toEpochMilli());
        Map<Long, Job> jobs = HashMap.newHashMap(chosen.size());
        try (ResultSet rows = session.query(READ, seqs)) {
            while (rows.next()) {
                Job job = new Job(rows.getLong(1), Rows.spec(rows), JobState.ASSIGNED,
                        new Job.Counts(rows.getInt(15), rows.getInt(16), rows.getInt(17)),
                        new Job.Status(null, request.node(), assignedAt, null, null, null, null, null,
                                null));
                jobs.put(job.seq(), job);
            }
        }
        List<Claimed.Claim> claims = new ArrayList<>(chosen.size());
        for (Candidate candidate : chosen) {
            Job job = jobs.get(candidate.seq());
            if (job == null) {
                throw new IllegalStateException("job " + candidate.seq() + " is live without a spec");
            }
            claims.add(new Claimed.Claim(job, candidate.wanted().suspect()));
        }
        return claims;
    }
}
