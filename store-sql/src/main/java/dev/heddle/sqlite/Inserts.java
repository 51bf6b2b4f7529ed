package dev.heddle.sqlite;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.heddle.dedupe.SubmissionPlan;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.limit.LimitIds;
import dev.heddle.sql.AdmissionControl;
import dev.heddle.sql.CountRows;
import dev.heddle.sql.FamilyChanges;
import dev.heddle.sql.JobColumn;
import dev.heddle.sql.JobColumns;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.LimitAdmission;
import dev.heddle.sql.LimitGroups;
import dev.heddle.sql.LimitRows;
import dev.heddle.sql.PlannedInserts;
import dev.heddle.sql.SeqList;
import dev.heddle.sql.Tx;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/** Stores submissions, many in one transaction. */
final class Inserts {

    private static final String INSERT_JOB = insertJob(JobColumns.ALL);
    /** For most jobs, which set no option: a row with half the columns is bound in half the time. */
    private static final String INSERT_PLAIN_JOB = insertJob(JobColumns.REQUIRED);
    private static final String INSERT_LIVE = """
            INSERT INTO live (seq, lane, priority, state, attempt, failures, crashes, due_at, due_after_span,
                              dedupe, parent, submitted_at, limit_group, limit_key)
            VALUES (?, ?, ?, ?, 0, 0, 0, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String MARK_PARENTS = """
            UPDATE live SET has_children = TRUE WHERE NOT has_children AND seq IN (SELECT value FROM json_each(?))""";
    private static final String HELD = """
            SELECT 1 FROM live WHERE seq = ? AND attempt = ? AND node = ? AND state IN ('ASSIGNED', 'RUNNING')""";

    private final Lanes lanes;
    private long lastSeq = -1;

    Inserts(Lanes lanes) {
        this.lanes = lanes;
    }

    private static String insertJob(List<JobColumn> columns) {
        return "INSERT INTO job (seq, " + JobColumns.names(columns) + ") VALUES (?" + ", ?".repeat(columns.size())
                + ") ON CONFLICT (id) DO NOTHING";
    }

    List<Receipt> insert(Tx tx, List<Submission> submissions, FamilyChanges families) throws SQLException {
        if (lastSeq < 0) {
            // Only this process writes, so it can count by itself. It never assigns a number twice.
            try (ResultSet rows = tx.query("SELECT coalesce(max(seq), 0) FROM job")) {
                lastSeq = rows.next() ? rows.getLong(1) : 0;
            }
        }
        if (submissions.stream().noneMatch(SubmissionPlan::isNeeded)) {
            return insertPlain(tx, submissions);
        }
        Map<Boolean, List<Integer>> places = PlannedInserts.places(submissions);
        Receipt[] receipts = new Receipt[submissions.size()];
        List<Integer> plain = Objects.requireNonNull(places.get(false));
        List<Receipt> some = insertPlain(tx, plain.stream().map(submissions::get).toList());
        for (int i = 0; i < some.size(); i++) {
            receipts[plain.get(i)] = some.get(i);
        }
        for (int i : Objects.requireNonNull(places.get(true))) {
            for (NewJob job : submissions.get(i).jobs()) {
                for (Lanes.Lane lane : Lanes.possible(job.spec())) {
                    lanes.id(tx, lane);
                }
            }
            LimitAdmission limits = LimitAdmission.of(tx, submissions.get(i).jobs(), false);
            receipts[i] = new PlannedInserts(tx, new DirectLookup(tx), limits, true, families,
                    (_, job, withKey) -> write(tx, List.of(job), withKey)).insert(submissions.get(i));
        }
        return Arrays.asList(receipts);
    }

    private List<Receipt> insertPlain(Tx tx, List<Submission> submissions) throws SQLException {
        LimitAdmission limits = LimitAdmission.of(tx,
                submissions.stream().flatMap(submission -> submission.jobs().stream()).toList(), false);
        AdmissionControl admission = new AdmissionControl(new DirectLookup(tx), limits);
        for (Submission submission : submissions) {
            admission.add(submission);
        }
        Set<JobId> existing = admission.admitted().isEmpty() ? Set.of() : write(tx, admission.admitted(), true);
        limits.addMembers(admission.admitted());
        return admission.receipts(existing);
    }

    /** Asks one question at a time: a query in the same process costs little. */
    private record DirectLookup(Tx tx) implements AdmissionControl.Lookup {

        @Override
        public @Nullable JobId holder(String key) throws SQLException {
            try (ResultSet rows = tx.query(AdmissionControl.HOLDERS + " l.dedupe = ?", key)) {
                return rows.next() ? JobId.of(rows.getString(2)) : null;
            }
        }

        @Override
        public boolean exists(JobId id) throws SQLException {
            try (ResultSet rows = tx.query("SELECT 1 FROM job WHERE id = ?", id)) {
                return rows.next();
            }
        }

        @Override
        public boolean isParent(JobId id) throws SQLException {
            return exists(id);
        }

        @Override
        public boolean isHeld(Fence attempt) throws SQLException {
            try (ResultSet rows = tx.query(HELD, attempt.seq(), attempt.attempt(), attempt.node())) {
                return rows.next();
            }
        }

        @Override
        public int queued(String queue, int limit) throws SQLException {
            try (ResultSet rows = tx.query("""
                    SELECT count(*) FROM (SELECT 1 FROM lane JOIN live ON live.lane = lane.id
                    WHERE lane.queue = ? AND live.state = 'QUEUED' LIMIT ?)""", queue, limit)) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        }
    }

    /** A job with its number. */
    private record Numbered(long seq, NewJob job) {

        boolean isPlain() {
            return JobColumns.isPlain(job.spec());
        }
    }

    /** Stores jobs, and returns the ids of those that were stored before. */
    private Set<JobId> write(Tx tx, List<NewJob> jobs, boolean withKey) throws SQLException {
        boolean limited = jobs.stream().anyMatch(job -> !job.spec().limits().isEmpty());
        if (limited) {
            passTurns(tx);
        }
        Map<Boolean, List<Numbered>> byPlain = jobs.stream().map(job -> new Numbered(++lastSeq, job))
                .collect(Collectors.partitioningBy(Numbered::isPlain));
        List<Numbered> stored = new ArrayList<>(jobs.size());
        stored.addAll(insertJobs(tx, INSERT_PLAIN_JOB, JobColumns.REQUIRED, byPlain.getOrDefault(true, List.of())));
        stored.addAll(insertJobs(tx, INSERT_JOB, JobColumns.ALL, byPlain.getOrDefault(false, List.of())));
        Map<JobId, Long> parents = parents(tx, stored);
        Instant now = tx.now();
        Set<JobId> joining = limited
                ? LimitGroups.joining(tx, stored.stream().map(one -> one.job().spec()).toList()) : Set.of();
        LimitGroups.addFor(tx, stored.stream().filter(one -> joining.contains(one.job().spec().id()))
                .filter(one -> one.job().start().dueAt(now).isEmpty())
                .map(one -> new LimitGroups.Joining(one.seq(), one.job().spec())).toList());
        PreparedStatement insertLive = tx.prepare(INSERT_LIVE);
        for (Numbered job : stored) {
            JobId parent = job.job().spec().extras().parent();
            bindLive(tx, insertLive, job, parent == null ? null : parents.get(parent), withKey,
                    joining.contains(job.job().spec().id()));
            insertLive.addBatch();
        }
        insertLive.executeBatch();
        Map<CountRows.Moved, Long> added = new HashMap<>();
        for (Numbered job : stored) {
            JobState state = job.job().start().dueAt(now).isEmpty() ? JobState.QUEUED : JobState.SCHEDULED;
            added.merge(new CountRows.Moved(job.job().spec().queue(), job.job().spec().type(), null, state), 1L,
                    Long::sum);
        }
        CountRows.add(tx, added);
        if (!parents.isEmpty()) {
            tx.update(MARK_PARENTS, new SeqList(parents.values()));
        }
        return stored.size() == jobs.size() ? Set.of() : existing(jobs, stored);
    }

    private static Set<JobId> existing(List<NewJob> jobs, List<Numbered> stored) {
        Set<JobId> existing = jobs.stream().map(job -> job.spec().id()).collect(Collectors.toSet());
        stored.forEach(job -> existing.remove(job.job().spec().id()));
        return existing;
    }

    /** Inserts the specs of jobs, and returns those jobs that were not stored before. */
    private static List<Numbered> insertJobs(Tx tx, String sql, List<JobColumn> columns, List<Numbered> jobs)
            throws SQLException {
        PreparedStatement insert = tx.prepare(sql);
        for (Numbered job : jobs) {
            insert.setLong(1, job.seq());
            for (JobColumn column : columns) {
                tx.bindAt(insert, column.index(), column.parameter(job.job().spec()));
            }
            insert.addBatch();
        }
        int[] inserted = insert.executeBatch();
        return IntStream.range(0, inserted.length).filter(i -> inserted[i] == 1).mapToObj(jobs::get).toList();
    }

    /** Returns the numbers of the jobs' parents, some of which may be among the jobs. */
    private static Map<JobId, Long> parents(Tx tx, List<Numbered> jobs) throws SQLException {
        Map<JobId, Long> parents = new HashMap<>();
        for (Numbered job : jobs) {
            JobId parent = job.job().spec().extras().parent();
            if (parent != null && !parents.containsKey(parent)) {
                try (ResultSet row = tx.query("SELECT seq FROM job WHERE id = ?", parent)) {
                    if (row.next()) {
                        parents.put(parent, row.getLong(1));
                    }
                }
            }
        }
        return parents;
    }

    private void bindLive(Tx tx, PreparedStatement insert, Numbered numbered, @Nullable Long parent, boolean withKey,
            boolean joining) throws SQLException {
        NewJob job = numbered.job();
        JobSpec spec = job.spec();
        boolean entering = !spec.limits().isEmpty() && !joining;
        long lane = lanes.id(tx, entering ? Lanes.entering(spec) : Lanes.of(spec));
        if (entering) {
            lanes.id(tx, Lanes.of(spec)); // to which a claim may move it
        }
        Instant dueAt = job.start().dueAt(tx.now()).orElse(null);
        tx.bind(insert, numbered.seq(), lane, spec.priority(), dueAt == null ? JobState.QUEUED : JobState.SCHEDULED,
                dueAt, job.start() instanceof Start.After ? 1 : null, withKey ? AdmissionControl.key(spec) : null,
                parent, spec.session().isPresent() ? tx.now() : null, joining ? LimitIds.group(spec) : null,
                LimitRows.slotKey(spec));
    }

    /** Has the next numbers come after the turns of all groups, which are compared with them. */
    private void passTurns(Tx tx) throws SQLException {
        try (ResultSet rows = tx.query("SELECT max(turn) FROM limit_group")) {
            lastSeq = rows.next() ? Math.max(lastSeq, rows.getLong(1)) : lastSeq;
        }
    }
}
