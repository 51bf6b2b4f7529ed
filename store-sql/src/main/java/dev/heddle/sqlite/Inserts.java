package dev.heddle.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.sql.Admission;
import dev.heddle.sql.Json;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.Seqs;
import dev.heddle.sql.Session;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/** Stores submissions, many in one transaction. */
final class Inserts {

    private static final String INSERT_JOB = """
            INSERT INTO job (seq, id, type, queue, priority, payload, created_at, max_retries, timeout_ms, parent,
                             session, subject, tags, dedupe_key, outlives_parent)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING""";
    /** Most jobs set none of the options; a row with half the columns is bound in half the time. */
    private static final String INSERT_PLAIN_JOB = """
            INSERT INTO job (seq, id, type, queue, priority, payload, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING""";
    private static final String INSERT_LIVE = """
            INSERT INTO live (seq, lane, priority, state, attempt, failures, crashes, due_at, dedupe, parent)
            VALUES (?, ?, ?, ?, 0, 0, 0, ?, ?, ?)""";
    private static final String MARK_PARENT = """
            UPDATE live SET has_children = TRUE WHERE NOT has_children AND seq IN (SELECT value FROM json_each(?))""";
    private static final String HELD = """
            SELECT 1 FROM live WHERE seq = ? AND attempt = ? AND node = ? AND state IN ('ASSIGNED', 'RUNNING')""";

    private final Lanes lanes;
    private long lastSeq = -1;

    Inserts(Lanes lanes) {
        this.lanes = lanes;
    }

    List<Receipt> insert(Session session, List<Submission> submissions) throws SQLException {
        if (lastSeq < 0) {
            // Only this process writes, so it can count on its own. A number is never used twice while it lives.
            try (ResultSet rows = session.query("SELECT coalesce(max(seq), 0) FROM job")) {
                lastSeq = rows.next() ? rows.getLong(1) : 0;
            }
        }
        Admission admission = new Admission(new Facts(session));
        List<Receipt> receipts = new ArrayList<>(submissions.size());
        for (Submission submission : submissions) {
            receipts.add(admission.add(submission));
        }
        if (!admission.admitted().isEmpty()) {
            write(session, admission.admitted());
        }
        return receipts;
    }

    /** Asked one by one: a query in the same process costs little. */
    private record Facts(Session session) implements Admission.Facts {

        @Override
        public @Nullable JobId holder(String key) throws SQLException {
            try (ResultSet rows = session
                    .query("SELECT j.id FROM live l JOIN job j ON j.seq = l.seq WHERE l.dedupe = ?", key)) {
                return rows.next() ? JobId.of(rows.getString(1)) : null;
            }
        }

        @Override
        public boolean exists(JobId id) throws SQLException {
            try (ResultSet rows = session.query("SELECT 1 FROM job WHERE id = ?", id)) {
                return rows.next();
            }
        }

        @Override
        public boolean isParent(JobId id) throws SQLException {
            return exists(id);
        }

        @Override
        public boolean isHeld(Fence attempt) throws SQLException {
            try (ResultSet rows = session.query(HELD, attempt.seq(), attempt.attempt(), attempt.node())) {
                return rows.next();
            }
        }

        @Override
        public int queued(String queue, int upTo) throws SQLException {
            try (ResultSet rows = session.query("""
                    SELECT count(*) FROM (SELECT 1 FROM lane JOIN live ON live.lane = lane.id
                    WHERE lane.queue = ? AND live.state = 'QUEUED' LIMIT ?)""", queue, upTo)) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        }
    }

    private void write(Session session, List<NewJob> jobs) throws SQLException {
        Map<Boolean, List<Numbered>> byKind = jobs.stream().map(job -> new Numbered(++lastSeq, job))
                .collect(Collectors.partitioningBy(Numbered::isPlain));
        List<Numbered> stored = new ArrayList<>(jobs.size());
        for (boolean plain : List.of(true, false)) {
            List<Numbered> some = byKind.getOrDefault(plain, List.of());
            PreparedStatement insert = session.prepare(plain ? INSERT_PLAIN_JOB : INSERT_JOB);
            for (Numbered job : some) {
                job.bind(session, insert);
                insert.addBatch();
            }
            int[] inserted = insert.executeBatch();
            IntStream.range(0, inserted.length).filter(i -> inserted[i] == 1)
                    .forEach(i -> stored.add(some.get(i)));
        }
        Map<JobId, Long> parents = parents(session, stored);
        PreparedStatement insertLive = session.prepare(INSERT_LIVE);
        for (Numbered job : stored) {
            JobId parent = job.job().spec().extras().parent();
            bindLive(session, insertLive, job.seq(), job.job(), parent == null ? null : parents.get(parent));
            insertLive.addBatch();
        }
        insertLive.executeBatch();
        if (!parents.isEmpty()) {
            session.update(MARK_PARENT, new Seqs(parents.values()));
        }
    }

    /** The numbers of the jobs' parents, which may be among the jobs. */
    private static Map<JobId, Long> parents(Session session, List<Numbered> jobs) throws SQLException {
        Map<JobId, Long> parents = new HashMap<>();
        for (Numbered job : jobs) {
            JobId parent = job.job().spec().extras().parent();
            if (parent != null && !parents.containsKey(parent)) {
                try (ResultSet row = session.query("SELECT seq FROM job WHERE id = ?", parent)) {
                    if (row.next()) {
                        parents.put(parent, row.getLong(1));
                    }
                }
            }
        }
        return parents;
    }

    private void bindLive(Session session, PreparedStatement insert, long seq, NewJob job,
            @Nullable Long parent) throws SQLException {
        JobSpec spec = job.spec();
        long lane = lanes.id(session, new Lanes.Lane(spec.queue(), spec.type()));
        JobState state = job.dueAt() == null ? JobState.QUEUED : JobState.SCHEDULED;
        session.bind(insert, seq, lane, spec.priority(), state, job.dueAt(), Admission.key(spec), parent);
    }

    /** A job with its place in the order of submission. */
    private record Numbered(long seq, NewJob job) {

        boolean isPlain() {
            return job.spec().extras().equals(JobSpec.Extras.NONE);
        }

        void bind(Session session, PreparedStatement insert) throws SQLException {
            JobSpec spec = job.spec();
            session.bind(insert, seq, spec.id(), spec.type(), spec.queue(), spec.priority(), spec.payload(),
                    spec.createdAt());
            if (!isPlain()) {
                JobSpec.Extras extras = spec.extras();
                session.bindFrom(8, insert, extras.maxRetries(),
                        extras.timeout() == null ? null : extras.timeout().toMillis(), extras.parent(),
                        extras.session(), extras.subject(), Json.tags(extras.tags()), extras.dedupeKey(),
                        extras.outlivesParent() ? 1 : null);
            }
        }
    }
}
