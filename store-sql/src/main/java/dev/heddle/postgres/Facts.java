package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import dev.heddle.job.JobId;
import dev.heddle.sql.Admission;
import dev.heddle.sql.Session;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/** What the store has, as far as these jobs ask: read at once, since every question is a round trip. */
record Facts(Session session, Map<String, JobId> holders, Set<JobId> ids,
        Parents parents) implements Admission.Facts {

    static Facts gather(Session session, List<Submission> submissions, Owner owner, boolean looking)
            throws SQLException {
        List<NewJob> jobs = Inserts.jobs(submissions);
        List<NewJob> bounded = jobs.stream().filter(job -> job.capacity() != NewJob.UNLIMITED).toList();
        if (owner.isStore()) {
            for (String queue : new TreeSet<>(bounded.stream().map(job -> job.spec().queue()).toList())) {
                session.query("SELECT pg_advisory_xact_lock(hashtextextended(?, 1))",
                        "heddle queue " + queue)
                        .close();
            }
        }
        Facts facts = new Facts(session, new HashMap<>(), new HashSet<>(),
                Parents.lock(session, submissions, owner.marked()));
        List<String> keys = jobs.stream().map(job -> Admission.key(job.spec())).filter(Objects::nonNull)
                .toList();
        if (!keys.isEmpty()) {
            try (ResultSet rows = session.query("""
                    SELECT l.dedupe, j.id FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq
                    WHERE l.dedupe = ANY (?)""", (Object) new Table<>(keys).texts(key -> key))) {
                while (rows.next()) {
                    facts.holders.put(rows.getString(1), JobId.of(rows.getString(2)));
                }
            }
        }
        List<NewJob> unsure = looking ? jobs : bounded;
        if (!unsure.isEmpty()) {
            try (ResultSet rows = session.query("SELECT id FROM heddle.job WHERE id = ANY (?::uuid[])",
                    (Object) new Table<>(unsure).ids(job -> job.spec().id()))) {
                while (rows.next()) {
                    facts.ids.add(JobId.of(rows.getString(1)));
                }
            }
        }
        return facts;
    }

    @Override
    public @Nullable JobId holder(String key) {
        return holders.get(PostgresDialect.storable(key));
    }

    @Override
    public boolean exists(JobId id) {
        return ids.contains(id);
    }

    @Override
    public boolean isParent(JobId id) {
        return parents.contains(id);
    }

    @Override
    public boolean isHeld(Fence attempt) {
        return parents.isHeld(attempt);
    }

    @Override
    public int queued(String queue, int upTo) throws SQLException {
        try (ResultSet rows = session.query("""
                SELECT count(*) FROM (SELECT 1 FROM heddle.lane JOIN heddle.live ON live.lane = lane.id
                WHERE lane.queue = ? AND live.state = 'QUEUED' LIMIT ?) counted""", queue, upTo)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }
}
