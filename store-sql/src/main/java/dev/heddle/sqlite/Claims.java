package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
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

/** Claims jobs: chooses over the wanted lanes, then takes what was chosen. */
final class Claims {

    private static final String READ = "SELECT " + Rows.SPEC + """
            , l.attempt, l.failures, l.crashes, l.phase FROM live l JOIN job j ON j.seq = l.seq
            WHERE l.seq IN (SELECT value FROM json_each(?))""";

    private Claims() {}

    static Claimed claim(Session session, ClaimRequest request) throws SQLException {
        Instant due = nextDue(session);
        int promoted = 0;
        if (due != null && !due.isAfter(request.now())) {
            promoted = session.update(
                    "UPDATE live SET state = 'QUEUED', due_at = NULL WHERE state = 'SCHEDULED' AND due_at <= ?",
                    request.now());
            due = nextDue(session);
        }
        List<Candidate> chosen = Candidates.choose(session, Lanes.open(session, request.wanted()),
                request.limit());
        return new Claimed(chosen.isEmpty() ? List.of() : take(session, request, chosen), promoted, due);
    }

    private static @Nullable Instant nextDue(Session session) throws SQLException {
        try (ResultSet rows = session.query("SELECT min(due_at) FROM live WHERE state = 'SCHEDULED'")) {
            return rows.next() ? Rows.time(rows, 1) : null;
        }
    }

    private static List<Claimed.Claim> take(Session session, ClaimRequest request, List<Candidate> chosen)
            throws SQLException {
        Seqs seqs = new Seqs(chosen.stream().map(Candidate::seq).toList());
        session.update(
                """
                        UPDATE live SET state = 'ASSIGNED', attempt = attempt + 1, node = ?, assigned_at = ?, started_at = NULL,
                               care = NULL, progress = NULL
                        WHERE seq IN (SELECT value FROM json_each(?))""",
                request.node(), request.now(), seqs);
        Instant assignedAt = request.now().truncatedTo(ChronoUnit.MILLIS);
        Map<Long, Job> jobs = HashMap.newHashMap(chosen.size());
        try (ResultSet rows = session.query(READ, seqs)) {
            while (rows.next()) {
                Job job = new Job(rows.getLong(1), Rows.spec(rows), JobState.ASSIGNED,
                        Rows.phase(rows, Rows.AFTER_SPEC + 3),
                        new Job.Counts(rows.getInt(Rows.AFTER_SPEC), rows.getInt(Rows.AFTER_SPEC + 1),
                                rows.getInt(Rows.AFTER_SPEC + 2)),
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
            claims.add(new Claimed.Claim(job, candidate.lane().wanted().suspect()));
        }
        return claims;
    }
}
