package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToIntFunction;

import dev.heddle.dedupe.SubmissionPlan;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobSpec;
import dev.heddle.postgres.Connections.TryAgain;
import dev.heddle.sql.AdmissionControl;
import dev.heddle.sql.FamilyChanges;
import dev.heddle.sql.JobColumn;
import dev.heddle.sql.JobColumns;
import dev.heddle.sql.KeyRows;
import dev.heddle.sql.Lanes;
import dev.heddle.sql.LimitAdmission;
import dev.heddle.sql.LimitGroups;
import dev.heddle.sql.LimitRows;
import dev.heddle.sql.PlannedInserts;
import dev.heddle.sql.SqlStore.Work;
import dev.heddle.sql.Successors;
import dev.heddle.sql.Tx;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.StoreException;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Stores submissions, all of a call in one statement. Only jobs with options or capacities need a transaction that
 * looks first: dedupe keys are settled by their unique index, capacities by a lock on the queue's name.
 */
final class Inserts {

    private final Connections connections;
    private final Lanes lanes;

    Inserts(Connections connections, Lanes lanes) {
        this.connections = connections;
        this.lanes = lanes;
    }

    /**
     * Stores submissions in a transaction of the store. Usually all jobs are new, so the first try does not look for
     * their ids. If a submit is repeated because its answer was lost, its id is taken; the second try then looks for
     * ids first.
     */
    Inserted insert(List<Submission> submissions) {
        createLanes(submissions);
        try {
            return insert(submissions, false);
        } catch (StoreException e) {
            if (e.getCause() instanceof SQLException cause && isDuplicate(cause)) {
                return insert(submissions, true);
            }
            throw e;
        }
    }

    /** The answers to submissions, and what they did to jobs with the same dedupe keys and to families. */
    record Inserted(List<Receipt> receipts, FamilyChanges families) {}

    private Inserted insert(List<Submission> submissions, boolean mayExist) {
        Work<Inserted> work = tx -> {
            FamilyChanges families = new FamilyChanges();
            return new Inserted(insert(tx, submissions, TransactionOwner.STORE, mayExist, families), families);
        };
        return jobs(submissions).stream().allMatch(Inserts::isUnconditional) ? connections.once(work)
                : connections.write(work);
    }

    private static boolean isDuplicate(SQLException e) {
        return "23505".equals(e.getSQLState());
    }

    /**
     * Stores submissions in an open transaction.
     *
     * @param mayExist whether some of the jobs may be stored already
     */
    private List<Receipt> insert(Tx tx, List<Submission> submissions, TransactionOwner owner, boolean mayExist,
            FamilyChanges families) throws SQLException {
        if (submissions.stream().noneMatch(SubmissionPlan::isNeeded)) {
            return insertPlain(tx, submissions, owner, mayExist);
        }
        KeyRows.lock(tx, submissions);
        Map<Boolean, List<Integer>> places = PlannedInserts.places(submissions);
        Receipt[] receipts = new Receipt[submissions.size()];
        List<Integer> plain = Objects.requireNonNull(places.get(false));
        if (!plain.isEmpty()) {
            List<Receipt> some = insertPlain(tx, plain.stream().map(submissions::get).toList(), owner, mayExist);
            for (int i = 0; i < some.size(); i++) {
                receipts[plain.get(i)] = some.get(i);
            }
        }
        for (int i : Objects.requireNonNull(places.get(true))) {
            receipts[i] = insertPlanned(tx, submissions.get(i), owner, families);
        }
        return Arrays.asList(receipts);
    }

    private Receipt insertPlanned(Tx tx, Submission submission, TransactionOwner owner, FamilyChanges families)
            throws SQLException {
        PrefetchedLookup lookup = PrefetchedLookup.load(tx, List.of(submission), owner, true);
        LimitAdmission limits = LimitAdmission.of(tx, submission.jobs(), owner.isStore());
        try {
            return new PlannedInserts(tx, lookup, limits, owner.isStore(), families,
                    (_, job, withKey) -> write(tx, List.of(job), lookup.parents(), withKey)).insert(submission);
        } catch (SQLException e) {
            if (isDuplicate(e)) {
                throw new TryAgain("another transaction submits the same job at the same time");
            }
            throw e;
        }
    }

    private List<Receipt> insertPlain(Tx tx, List<Submission> submissions, TransactionOwner owner, boolean mayExist)
            throws SQLException {
        PrefetchedLookup lookup = PrefetchedLookup.load(tx, submissions, owner, mayExist);
        LimitAdmission limits = LimitAdmission.of(tx, jobs(submissions), owner.isStore());
        AdmissionControl admission = new AdmissionControl(lookup, limits);
        for (Submission submission : submissions) {
            admission.add(submission);
        }
        Set<JobId> existing = new HashSet<>();
        List<NewJob> missing = new ArrayList<>(admission.admitted());
        missing.removeIf(job -> lookup.exists(job.spec().id()) && existing.add(job.spec().id()));
        try {
            if (!missing.isEmpty()) {
                write(tx, missing, lookup.parents(), true);
                limits.addMembers(missing);
            }
        } catch (SQLException e) {
            if (mayExist && isDuplicate(e)) {
                throw new TryAgain("another transaction submits the same job at the same time");
            }
            throw e;
        }
        return admission.receipts(existing);
    }

    /**
     * Stores the children of a parent in the transaction that ends its first phase. Call {@link #createLanes} before.
     */
    void insertChildren(Tx tx, Submission children, FamilyChanges families) throws SQLException {
        if (!children.jobs().isEmpty()) {
            insert(tx, List.of(children), TransactionOwner.STORE, false, families);
        }
    }

    /** Stores sequels in the transaction that ends the jobs before them. Call {@link #createLanes} before. */
    void insertSequels(Tx tx, List<Submission> sequels, FamilyChanges families) throws SQLException {
        if (!sequels.isEmpty()) {
            insert(tx, sequels, TransactionOwner.STORE, true, families);
        }
    }

    /** Thrown if jobs that a transaction decided on need lanes, which have to be committed before. */
    static final class MissingLanes extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient List<Submission> submissions;

        MissingLanes(List<Submission> submissions) {
            super("the lanes of some jobs do not exist yet", null, false, false);
            this.submissions = submissions;
        }

        List<Submission> submissions() {
            return submissions;
        }
    }

    /**
     * Stores jobs that a transaction has just decided on.
     *
     * @throws MissingLanes if they need lanes; call {@link #createLanes} and try the transaction again
     */
    void insertPlanned(Tx tx, List<Submission> submissions) throws SQLException {
        if (!missingLanes(submissions).isEmpty()) {
            throw new MissingLanes(submissions);
        }
        insert(tx, submissions, TransactionOwner.STORE, true, new FamilyChanges());
    }

    /**
     * Stores submissions in a transaction of the application. A savepoint allows another try without rolling back the
     * application's part. Call {@link #createLanes} before.
     *
     * @param marked the result of {@link #markParents}
     */
    Inserted insertWithSavepoints(Tx tx, List<Submission> submissions, Set<JobId> marked) throws SQLException {
        boolean mayExist = false;
        while (true) {
            Savepoint before = tx.connection().setSavepoint();
            try {
                FamilyChanges families = new FamilyChanges();
                List<Receipt> receipts = insert(tx, submissions, TransactionOwner.application(marked), mayExist,
                        families);
                tx.connection().releaseSavepoint(before);
                return new Inserted(receipts, families);
            } catch (SQLException e) {
                if (!(e instanceof TryAgain) && (mayExist || !isDuplicate(e))) {
                    throw e;
                }
                tx.connection().rollback(before);
                mayExist |= isDuplicate(e);
            }
        }
    }

    static List<NewJob> jobs(List<Submission> submissions) {
        return submissions.stream().flatMap(submission -> submission.jobs().stream()).toList();
    }

    /** Returns whether nothing has to be looked up before the job is stored. */
    private static boolean isUnconditional(NewJob job) {
        return job.capacity() == NewJob.UNLIMITED && JobColumns.isPlain(job.spec());
    }

    /** Creates missing lanes, and commits them before the jobs that need them: others may use them from then on. */
    void createLanes(List<Submission> submissions) {
        for (Lanes.Lane lane : missingLanes(submissions)) {
            connections.once(tx -> lanes.id(tx, lane));
        }
    }

    private Set<Lanes.Lane> missingLanes(List<Submission> submissions) {
        Set<Lanes.Lane> missing = new HashSet<>();
        for (NewJob job : jobs(submissions)) {
            for (Lanes.Lane lane : Lanes.possible(job.spec())) {
                if (lanes.known(lane) == null) {
                    missing.add(lane);
                }
            }
        }
        return missing;
    }

    /** Marks parents in a transaction that commits before the application's transaction begins to lock rows. */
    Set<JobId> markParents(List<Submission> submissions) {
        List<JobId> parents = ParentLocks.parentsOf(submissions);
        return parents.isEmpty() ? Set.of() : connections.write(tx -> ParentLocks.markAhead(tx, parents));
    }

    /** Notes, in a transaction of its own, which jobs that nodes hold will get successors by an application's. */
    void markSuccession(List<Submission> submissions) {
        if (submissions.stream().anyMatch(SubmissionPlan::isNeeded)) {
            connections.write(tx -> Successors.markHeld(tx, submissions));
        }
    }

    private int laneId(JobSpec job, Set<JobId> joining) {
        Lanes.Lane lane = job.limits().isEmpty() || joining.contains(job.id()) ? Lanes.of(job) : Lanes.entering(job);
        return Objects.requireNonNull(lanes.known(lane), "createLanes was not called").intValue();
    }

    private void write(Tx tx, List<NewJob> jobs, ParentLocks parents, boolean withKey) throws SQLException {
        boolean plain = jobs.stream().allMatch(job -> JobColumns.isPlain(job.spec()));
        if (plain && areAlike(jobs)) {
            writeAlike(tx, jobs);
            return;
        }
        ArrayColumns<NewJob> rows = new ArrayColumns<>(jobs);
        ArrayColumns<JobSpec> specs = specs(jobs);
        List<@Nullable Object> columns = JobArrays.of(plain ? JobColumns.REQUIRED : JobColumns.ALL, specs);
        Set<JobId> joining = plain ? Set.of() : LimitGroups.joining(tx, specs.rows());
        columns.addAll(List.of(specs.ints(spec -> laneId(spec, joining)), rows.times(Inserts::runAt),
                rows.bigints(Inserts::delay)));
        if (plain) {
            tx.update(InsertStatements.PLAIN, columns.toArray());
            return;
        }
        columns.addAll(
                List.of(specs.texts(spec -> withKey ? AdmissionControl.key(spec) : null), specs.bigints(parents::seqOf),
                        specs.ints(hasChildren(specs)), specs.ints(spec -> joining.contains(spec.id()) ? 1 : 0),
                        specs.bigints(LimitRows::slotKey)));
        try (ResultSet row = tx.query(InsertStatements.FULL, columns.toArray())) {
            if (row.next() && row.getLong(1) > 0) {
                throw new TryAgain("another transaction took the dedupe key at the same time");
            }
        }
    }

    private static @Nullable Instant runAt(NewJob job) {
        return job.start() instanceof Start.At(Instant time) ? time : null;
    }

    /** The statement adds the delay to the time of the server. */
    private static @Nullable Long delay(NewJob job) {
        return job.start() instanceof Start.After(Duration delay) && !delay.isZero() ? delay.toMillis() : null;
    }

    private static ArrayColumns<JobSpec> specs(List<NewJob> jobs) {
        return new ArrayColumns<>(jobs.stream().map(NewJob::spec).toList());
    }

    /** Returns 1 for a job whose children are stored with it, and 0 for others. */
    private static ToIntFunction<JobSpec> hasChildren(ArrayColumns<JobSpec> specs) {
        Set<JobId> parents = new HashSet<>();
        specs.rows().forEach(spec -> spec.parent().ifPresent(parents::add));
        return spec -> parents.contains(spec.id()) ? 1 : 0;
    }

    private static boolean areAlike(List<NewJob> jobs) {
        NewJob first = jobs.getFirst();
        for (JobColumn column : InsertStatements.SHARED) {
            Object value = column.parameter(first.spec());
            if (!jobs.stream().allMatch(job -> Objects.equals(value, column.parameter(job.spec())))) {
                return false;
            }
        }
        return jobs.stream().allMatch(job -> job.start() instanceof Start.AtOnce);
    }

    private void writeAlike(Tx tx, List<NewJob> jobs) throws SQLException {
        NewJob first = jobs.getFirst();
        List<@Nullable Object> values = new ArrayList<>();
        InsertStatements.SHARED.forEach(column -> values.add(column.parameter(first.spec())));
        boolean few = jobs.size() <= InsertStatements.FEW;
        if (few) {
            for (NewJob job : jobs) {
                for (JobColumn column : InsertStatements.VARYING) {
                    values.add(JobArrays.value(column, job.spec()));
                }
            }
        } else {
            values.addAll(JobArrays.of(InsertStatements.VARYING, specs(jobs)));
        }
        values.addAll(
                List.of(first.spec().queue(), first.spec().type(), (long) jobs.size(), laneId(first.spec(), Set.of())));
        tx.update(few ? InsertStatements.FEW_ALIKE.get(jobs.size()) : InsertStatements.MANY_ALIKE, values.toArray());
    }
}
