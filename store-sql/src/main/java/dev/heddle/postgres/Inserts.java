package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.postgres.Connections.TryAgain;
import dev.heddle.sql.Admission;
import dev.heddle.sql.Json;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.Session;
import dev.heddle.sql.SqlStore.Work;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.StoreException;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Stores submissions, all of a call in one statement. Only where there are dedupe keys or capacities does it take a
 * transaction that looks first: keys are settled by their unique index, capacities by a lock on the queue's name.
 */
final class Inserts {

    private static final String LIVE = """
            INSERT INTO heddle.live (seq, lane, priority, state, attempt, failures, crashes, due_at%s)
            SELECT seq, lane, priority, CASE WHEN due_at IS NULL THEN 'QUEUED' ELSE 'SCHEDULED' END, 0, 0, 0, due_at%s
            FROM input
            """;
    /** A parent that is stored with its child has no number before. */
    private static final String PARENT = """
            CASE WHEN parent IS NULL OR parent_seq IS NOT NULL THEN parent_seq
            ELSE (SELECT stored_with.seq FROM input stored_with WHERE stored_with.id = input.parent) END""";
    private static final String NEXT = "nextval('heddle.job_seq_seq') AS seq";
    /** Most jobs set none of the options. */
    private static final String PLAIN = """
            WITH input AS (
                SELECT %s, %s, i.type, i.queue, i.priority, i.payload, %s, i.lane, %s
                FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)
                AS i (id, type, queue, priority, payload, created_at, lane, due_at)),
            stored AS (
                INSERT INTO heddle.job (seq, id, type, queue, priority, payload, created_at)
                SELECT seq, id, type, queue, priority, payload::jsonb, created_at FROM input)
            """.formatted(NEXT, Table.id("id"), Table.time("created_at"), Table.time("due_at"))
            + LIVE.formatted("", "");
    /** Most jobs of a call differ in nothing but this. */
    private static final String ALIKE = """
            WITH stored AS (
                INSERT INTO heddle.job (seq, id, type, queue, priority, payload, created_at)
                SELECT %s, i.id::uuid, ?, ?, ?, i.payload::jsonb, %s
                FROM %%s AS i (id, payload, created_at) RETURNING seq, priority)
            INSERT INTO heddle.live (seq, priority, lane, state, attempt, failures, crashes, due_at)
            SELECT seq, priority, ?, ?, 0, 0, 0, ?::timestamptz FROM stored
            """.formatted(NEXT, Table.time("created_at"));
    /** As many as callers that submit one at a time bring together. Of these, arrays would cost as much as the rows. */
    private static final int FEW = 16;
    /** By their number. */
    private static final List<String> FEW_ALIKE = IntStream.rangeClosed(0, FEW)
            .mapToObj(number -> ALIKE.formatted("(VALUES "
                    + String.join(", ", Collections.nCopies(number, "(?::uuid, ?::jsonb, ?::bigint)")) + ")"))
            .toList();
    private static final String MANY_ALIKE = ALIKE.formatted("unnest(?, ?, ?)");
    private static final String FULL = """
            WITH input AS (
                SELECT %s, %s, i.type, i.queue, i.priority, i.payload, %s, i.lane, %s, i.max_retries, i.timeout_ms, %s,
                       i.session, i.subject, i.tags, i.dedupe_key, i.dedupe, i.outlives, i.parent_seq, i.has_children
                FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                AS i (id, type, queue, priority, payload, created_at, lane, due_at, max_retries, timeout_ms, parent,
                      session, subject, tags, dedupe_key, dedupe, outlives, parent_seq, has_children)),
            stored AS (
                INSERT INTO heddle.job (seq, id, type, queue, priority, payload, created_at, max_retries, timeout_ms,
                                        parent, session, subject, tags, dedupe_key, outlives_parent)
                SELECT seq, id, type, queue, priority, payload::jsonb, created_at, max_retries, timeout_ms, parent,
                       session, subject, tags::jsonb, dedupe_key, CASE WHEN outlives = 1 THEN TRUE END FROM input),
            lived AS (
            """
            .formatted(NEXT, Table.id("id"), Table.time("created_at"), Table.time("due_at"),
                    Table.id("parent"))
            + LIVE.formatted(", dedupe, has_children, parent", ", dedupe, has_children = 1, " + PARENT) + """
                        ON CONFLICT (dedupe) WHERE dedupe IS NOT NULL DO NOTHING RETURNING 1)
                    SELECT (SELECT count(*) FROM input) - (SELECT count(*) FROM lived)
                    """;

    private final Connections connections;
    private final Lanes lanes;

    Inserts(Connections connections, Lanes lanes) {
        this.connections = connections;
        this.lanes = lanes;
    }

    /**
     * In transactions of its own. New jobs are the rule, and are stored without a look; a submit that is repeated, because
     * its answer was lost, finds its id taken and is tried again with one.
     */
    List<Receipt> insert(List<Submission> submissions) {
        makeLanes(submissions);
        try {
            return insert(submissions, false);
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && isDuplicate(cause)) {
                return insert(submissions, true);
            }
            throw e;
        }
    }

    private List<Receipt> insert(List<Submission> submissions, boolean looking) {
        Work<List<Receipt>> work = session -> insert(session, submissions, Owner.STORE, looking);
        return jobs(submissions).stream().allMatch(Inserts::isPlain) ? connections.once(work)
                : connections.write(work);
    }

    private static boolean isDuplicate(SQLException e) {
        return "23505".equals(e.getSQLState());
    }

    /**
     * In the transaction of the session.
     *
     * @param looking whether some of the jobs may be stored already
     */
    private List<Receipt> insert(Session session, List<Submission> submissions, Owner owner,
            boolean looking) throws SQLException {
        Facts facts = Facts.gather(session, submissions, owner, looking);
        Admission admission = new Admission(facts);
        List<Receipt> receipts = new ArrayList<>(submissions.size());
        for (Submission submission : submissions) {
            receipts.add(admission.add(submission));
        }
        Map<JobId, NewJob> byId = new LinkedHashMap<>();
        admission.admitted().stream().filter(job -> !facts.exists(job.spec().id()))
                .forEach(job -> byId.putIfAbsent(job.spec().id(), job));
        try {
            if (!byId.isEmpty()) {
                write(session, new Table<>(List.copyOf(byId.values())), facts.parents());
            }
        } catch (SQLException e) {
            if (looking && isDuplicate(e)) {
                throw new TryAgain("somebody submits the same job at the same time");
            }
            throw e;
        }
        return receipts;
    }

    /** With the end of their parent's first phase, in its transaction, once {@link #makeLanes} was called. */
    void insertChildren(Session session, Submission children) throws SQLException {
        if (!children.jobs().isEmpty()) {
            insert(session, List.of(children), Owner.STORE, false);
        }
    }

    /** With the ends of the jobs that they follow, once {@link #makeLanes} was called; some may be stored already. */
    void insertSequels(Session session, List<Submission> sequels) throws SQLException {
        if (!sequels.isEmpty()) {
            insert(session, sequels, Owner.STORE, true);
        }
    }

    /**
     * In a transaction of the application's, of which only our own part can be taken back for another try, once
     * {@link #makeLanes} was called.
     *
     * @param marked what {@link #markParents} said before
     */
    List<Receipt> insertWithSavepoints(Session session, List<Submission> submissions, Set<JobId> marked)
            throws SQLException {
        boolean looking = false;
        while (true) {
            Savepoint before = session.connection().setSavepoint();
            try {
                List<Receipt> receipts = insert(session, submissions, Owner.application(marked), looking);
                session.connection().releaseSavepoint(before);
                return receipts;
            } catch (SQLException e) {
                if (!(e instanceof TryAgain) && (looking || !isDuplicate(e))) {
                    throw e;
                }
                session.connection().rollback(before);
                looking |= isDuplicate(e);
            }
        }
    }

    static List<NewJob> jobs(List<Submission> submissions) {
        return submissions.stream().flatMap(submission -> submission.jobs().stream()).toList();
    }

    private static boolean isPlain(NewJob job) {
        return job.capacity() == NewJob.UNLIMITED && job.spec().extras().equals(JobSpec.Extras.NONE);
    }

    /** Committed before the jobs that need them, since others may use them from then on. */
    void makeLanes(List<Submission> submissions) {
        Set<Lanes.Lane> missing = new HashSet<>();
        for (NewJob job : jobs(submissions)) {
            Lanes.Lane lane = lane(job);
            if (lanes.known(lane) == null) {
                missing.add(lane);
            }
        }
        for (Lanes.Lane lane : missing) {
            connections.once(session -> lanes.id(session, lane));
        }
    }

    /** Committed before a transaction of the application's begins to hold on to what it touches. */
    Set<JobId> markParents(List<Submission> submissions) {
        List<JobId> parents = Parents.named(submissions);
        return parents.isEmpty() ? Set.of()
                : connections.write(session -> Parents.markAhead(session, parents));
    }

    private static Lanes.Lane lane(NewJob job) {
        return new Lanes.Lane(job.spec().queue(), job.spec().type());
    }

    private int laneId(NewJob job) {
        return Objects.requireNonNull(lanes.known(lane(job)), "its lane was made before").intValue();
    }

    private void write(Session session, Table<NewJob> jobs, Parents parents) throws SQLException {
        boolean plain = jobs.rows().stream()
                .allMatch(job -> job.spec().extras().equals(JobSpec.Extras.NONE));
        if (plain && areAlike(jobs.rows())) {
            writeAlike(session, jobs);
            return;
        }
        List<@Nullable Object> columns = new ArrayList<>(List.of(jobs.ids(job -> job.spec().id()),
                jobs.texts(job -> job.spec().type()), jobs.texts(job -> job.spec().queue()),
                jobs.ints(job -> job.spec().priority()), jobs.texts(job -> job.spec().payload()),
                jobs.times(job -> job.spec().createdAt()), jobs.ints(this::laneId),
                jobs.times(NewJob::dueAt)));
        if (plain) {
            session.update(PLAIN, columns.toArray());
            return;
        }
        Table<JobSpec> specs = new Table<>(jobs.rows().stream().map(NewJob::spec).toList());
        columns.addAll(List.of(
                specs.bigints(spec -> spec.extras().maxRetries() == null ? null
                        : spec.extras().maxRetries().longValue()),
                specs.bigints(
                        spec -> spec.extras().timeout() == null ? null : spec.extras().timeout().toMillis()),
                specs.ids(spec -> spec.extras().parent()), specs.texts(spec -> spec.extras().session()),
                specs.texts(spec -> spec.extras().subject()), specs.texts(Inserts::tags),
                specs.texts(spec -> spec.extras().dedupeKey()), specs.texts(Admission::key),
                specs.ints(spec -> spec.extras().outlivesParent() ? 1 : 0), specs.bigints(parents::seqOf),
                specs.ints(hasChildren(specs))));
        try (ResultSet row = session.query(FULL, columns.toArray())) {
            if (row.next() && row.getLong(1) > 0) {
                throw new TryAgain("another job got the dedupe key at the same time");
            }
        }
    }

    /** Whether children of the job are stored with it. */
    private static ToIntFunction<JobSpec> hasChildren(Table<JobSpec> specs) {
        Set<JobId> parents = new HashSet<>();
        specs.rows().forEach(spec -> spec.parent().ifPresent(parents::add));
        return spec -> parents.contains(spec.id()) ? 1 : 0;
    }

    private static boolean areAlike(List<NewJob> jobs) {
        NewJob first = jobs.getFirst();
        return jobs.stream().allMatch(job -> lane(job).equals(lane(first))
                && job.spec().priority() == first.spec().priority()
                && Objects.equals(job.dueAt(), first.dueAt()));
    }

    private void writeAlike(Session session, Table<NewJob> jobs) throws SQLException {
        NewJob first = jobs.rows().getFirst();
        List<@Nullable Object> values = new ArrayList<>(
                List.of(first.spec().type(), first.spec().queue(), first.spec().priority()));
        boolean few = jobs.rows().size() <= FEW;
        if (few) {
            for (NewJob job : jobs.rows()) {
                values.addAll(List.of(job.spec().id(), new Json.Text(job.spec().payload()),
                        job.spec().createdAt().toEpochMilli()));
            }
        } else {
            values.addAll(List.of(jobs.ids(job -> job.spec().id()), jobs.texts(job -> job.spec().payload()),
                    jobs.longs(job -> job.spec().createdAt().toEpochMilli())));
        }
        values.add(laneId(first));
        values.add(first.dueAt() == null ? JobState.QUEUED : JobState.SCHEDULED);
        values.add(first.dueAt());
        session.update(few ? FEW_ALIKE.get(jobs.rows().size()) : MANY_ALIKE, values.toArray());
    }

    private static @Nullable String tags(JobSpec spec) {
        Json.Text tags = Json.tags(spec.extras().tags());
        return tags == null ? null : tags.json();
    }
}
