package dev.heddle.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/** Stores submissions, many in one transaction. */
final class Inserts {

    private static final String INSERT_JOB = """
            INSERT INTO job (seq, id, type, queue, priority, payload, created_at, max_retries, timeout_ms, parent,
                             session, subject, tags, dedupe_key)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING""";
    /** Most jobs set none of the options; a row with half the columns is bound in half the time. */
    private static final String INSERT_PLAIN_JOB = """
            INSERT INTO job (seq, id, type, queue, priority, payload, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO NOTHING""";
    private static final String INSERT_LIVE = """
            INSERT INTO live (seq, lane, priority, state, attempt, failures, crashes, due_at, dedupe)
            VALUES (?, ?, ?, ?, 0, 0, 0, ?, ?)""";

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
        Batch batch = new Batch(session);
        List<Receipt> receipts = new ArrayList<>(submissions.size());
        for (Submission submission : submissions) {
            receipts.add(batch.add(submission));
        }
        batch.write();
        return receipts;
    }

    /** What one transaction adds, and what it must remember of itself before it is written. */
    private final class Batch {
        private final Session session;
        private final List<NewJob> jobs = new ArrayList<>();
        private final Map<String, JobId> keys = new HashMap<>();
        private final Set<JobId> ids = new HashSet<>();
        private final Map<String, Integer> queued = new HashMap<>();

        Batch(Session session) {
            this.session = session;
        }

        Receipt add(Submission submission) throws SQLException {
            Receipt.@Nullable Full full = lackOfRoom(submission);
            if (full != null) {
                return full;
            }
            List<JobId> accepted = new ArrayList<>(submission.jobs().size());
            for (NewJob job : submission.jobs()) {
                JobId standing = standing(job.spec());
                if (standing == null) {
                    jobs.add(job);
                    remember(job);
                    accepted.add(job.spec().id());
                } else {
                    accepted.add(standing);
                }
            }
            return new Receipt.Accepted(accepted);
        }

        private void remember(NewJob job) {
            String key = dedupe(job.spec());
            if (key != null) {
                keys.put(key, job.spec().id());
            }
            if (job.capacity() != NewJob.UNLIMITED) {
                ids.add(job.spec().id());
                if (job.dueAt() == null) {
                    queued.merge(job.spec().queue(), 1, Integer::sum);
                }
            }
        }

        /** Counts only where a queue has a capacity, and then only up to it. */
        private Receipt.@Nullable Full lackOfRoom(Submission submission) throws SQLException {
            Map<String, Integer> wanted = new HashMap<>();
            for (NewJob job : submission.jobs()) {
                if (job.capacity() == NewJob.UNLIMITED || job.dueAt() != null) {
                    continue;
                }
                String queue = job.spec().queue();
                if (standing(job.spec()) != null || exists(job.spec().id())) {
                    continue;
                }
                int before = queued.containsKey(queue) ? queued.get(queue)
                        : countQueued(queue, job.capacity());
                queued.put(queue, before);
                if (before + wanted.merge(queue, 1, Integer::sum) > job.capacity()) {
                    return new Receipt.Full(queue, job.capacity());
                }
            }
            return null;
        }

        private int countQueued(String queue, int capacity) throws SQLException {
            int count = 0;
            for (Map.Entry<Lanes.Lane, Long> lane : lanes.all().entrySet()) {
                if (lane.getKey().queue().equals(queue)) {
                    try (ResultSet rows = session.query(
                            """
                                    SELECT count(*) FROM (SELECT 1 FROM live WHERE state = 'QUEUED' AND lane = ? LIMIT ?)""",
                            lane.getValue(), capacity)) {
                        count += rows.next() ? rows.getInt(1) : 0;
                    }
                }
            }
            return count;
        }

        /** The live job that stands in for this one by its dedupe key, if there is one. */
        private @Nullable JobId standing(JobSpec spec) throws SQLException {
            String key = dedupe(spec);
            if (key == null) {
                return null;
            }
            JobId pending = keys.get(key);
            if (pending != null) {
                return pending;
            }
            try (ResultSet rows = session
                    .query("SELECT j.id FROM live l JOIN job j ON j.seq = l.seq WHERE l.dedupe = ?", key)) {
                return rows.next() ? JobId.of(rows.getString(1)) : null;
            }
        }

        private boolean exists(JobId id) throws SQLException {
            if (ids.contains(id)) {
                return true;
            }
            try (ResultSet rows = session.query("SELECT 1 FROM job WHERE id = ?", id.toString())) {
                return rows.next();
            }
        }

        void write() throws SQLException {
            if (jobs.isEmpty()) {
                return;
            }
            Map<Boolean, List<Numbered>> byKind = jobs.stream().map(job -> new Numbered(++lastSeq, job))
                    .collect(Collectors.partitioningBy(Numbered::isPlain));
            List<Numbered> stored = new ArrayList<>(jobs.size());
            for (boolean plain : List.of(true, false)) {
                List<Numbered> some = byKind.getOrDefault(plain, List.of());
                PreparedStatement insert = session.prepare(plain ? INSERT_PLAIN_JOB : INSERT_JOB);
                for (Numbered job : some) {
                    job.bind(insert);
                    insert.addBatch();
                }
                int[] inserted = insert.executeBatch();
                IntStream.range(0, inserted.length).filter(i -> inserted[i] == 1)
                        .forEach(i -> stored.add(some.get(i)));
            }
            PreparedStatement insertLive = session.prepare(INSERT_LIVE);
            for (Numbered job : stored) {
                bindLive(insertLive, job.seq(), job.job());
                insertLive.addBatch();
            }
            insertLive.executeBatch();
        }

        private void bindLive(PreparedStatement insert, long seq, NewJob job) throws SQLException {
            JobSpec spec = job.spec();
            long lane = lanes.id(session, new Lanes.Lane(spec.queue(), spec.type(), false));
            JobState state = job.dueAt() == null ? JobState.QUEUED : JobState.SCHEDULED;
            Session.bind(insert, seq, lane, spec.priority(), state, Rows.millis(job.dueAt()), dedupe(spec));
        }
    }

    /** A job with its place in the order of submission. */
    private record Numbered(long seq, NewJob job) {

        boolean isPlain() {
            return job.spec().extras().equals(JobSpec.Extras.NONE);
        }

        void bind(PreparedStatement insert) throws SQLException {
            JobSpec spec = job.spec();
            Session.bind(insert, seq, spec.id().toString(), spec.type(), spec.queue(), spec.priority(),
                    spec.payload(), spec.createdAt().toEpochMilli());
            if (!isPlain()) {
                JobSpec.Extras extras = spec.extras();
                Session.bindFrom(8, insert, extras.maxRetries(),
                        extras.timeout() == null ? null : extras.timeout().toMillis(),
                        extras.parent() == null ? null : extras.parent().toString(), extras.session(),
                        extras.subject(), Json.tags(extras.tags()), extras.dedupeKey());
            }
        }
    }

    /** Keys are unique within a type; a unit separator keeps the two apart. */
    static @Nullable String dedupe(JobSpec spec) {
        return spec.extras().dedupeKey() == null ? null : spec.type() + '\u001F' + spec.extras().dedupeKey();
    }
}
