package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.heddle.dedupe.DedupeRules;
import dev.heddle.dedupe.KeyDecision;
import dev.heddle.dedupe.KeyState.KeyMemory;
import dev.heddle.dedupe.KeyState.Member;
import dev.heddle.dedupe.SubmissionPlan;
import dev.heddle.dedupe.SubmissionPlan.Planned;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.LimitKey;
import dev.heddle.limit.LimitIds;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Receipt.Stored;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Stores a submission whose jobs have dedupe modes. {@link SubmissionPlan} decides about all of its jobs; then they are
 * written one after the other. Call {@link KeyRows#lock} before.
 */
public final class PlannedInserts {

    /** The columns that a job takes from another submission. Its id, its key, its age and its parent stay. */
    private static final List<JobColumn> TAKEN = JobColumns.ALL.stream().filter(column -> !Set
            .of("id", "type", "created_at", "parent", "outlives_parent", "dedupe_key").contains(column.name()))
            .toList();
    private static final String TAKE = "UPDATE heddle.job SET "
            + String.join(", ", TAKEN.stream().map(column -> column.name() + " = ?").toList()) + " WHERE seq = ?";

    private final Tx tx;
    private final AdmissionControl.Lookup lookup;
    private final LimitAdmission limits;
    private final FamilyChanges families;
    private final Target target;
    private final boolean ownsTransaction;

    /** Adds jobs to a store. */
    public interface Target {

        /**
         * Adds a job.
         *
         * @param withKey whether it gets its dedupe key; not if it waits for the job that has the key
         */
        void add(Tx tx, NewJob job, boolean withKey) throws SQLException;
    }

    /**
     * Creates the inserts of one submission.
     *
     * @param ownsTransaction whether the transaction is the store's; one of the application may stay open for long and
     *     must not lock jobs that nodes hold
     */
    public PlannedInserts(Tx tx, AdmissionControl.Lookup lookup, LimitAdmission limits, boolean ownsTransaction,
            FamilyChanges families, Target target) {
        this.tx = tx;
        this.lookup = lookup;
        this.limits = limits;
        this.families = families;
        this.target = target;
        this.ownsTransaction = ownsTransaction;
    }

    /** Stores the submission, or refuses all of it. */
    public Receipt insert(Submission submission) throws SQLException {
        Set<String> names = new HashSet<>();
        Set<JobId> existing = new HashSet<>();
        for (NewJob job : submission.jobs()) {
            String name = AdmissionControl.key(job.spec());
            if (name != null) {
                names.add(name);
            }
            if (lookup.exists(job.spec().id())) {
                existing.add(job.spec().id());
            }
        }
        KeyRows keys = KeyRows.load(tx, names, ownsTransaction);
        SubmissionPlan plan = SubmissionPlan.of(submission.jobs(), existing::contains, keys::state, tx.now());
        Receipt refusal = refusal(plan, submission);
        if (refusal != null) {
            return refusal;
        }
        for (Planned planned : plan.jobs()) {
            write(planned, keys, plan.created());
        }
        return new Receipt.Accepted(plan.jobs().stream()
                .map(planned -> new Stored(planned.decision().job(), planned.decision().effect())).toList());
    }

    private @Nullable Receipt refusal(SubmissionPlan plan, Submission submission) throws SQLException {
        boolean orphaned = submission.spawner() != null && !lookup.isHeld(submission.spawner());
        for (NewJob job : submission.jobs()) {
            JobId parent = job.spec().extras().parent();
            if (parent != null && (orphaned || !(plan.created().contains(parent) || lookup.isParent(parent)))) {
                return new Receipt.NoParent(parent);
            }
        }
        for (SubmissionPlan.Demand demand : plan.demands()) {
            if (lookup.queued(demand.queue(), demand.capacity()) + demand.jobs() > demand.capacity()) {
                return new Receipt.Full(demand.queue(), demand.capacity());
            }
        }
        for (Planned planned : plan.jobs()) {
            LimitKey lacking = planned.needsLimits() ? limits.lacking(planned.job()) : null;
            if (lacking != null) {
                return new Receipt.NoRoom(lacking);
            }
        }
        return null;
    }

    private void write(Planned planned, KeyRows keys, Set<JobId> created) throws SQLException {
        KeyDecision decision = planned.decision();
        NewJob job = planned.job();
        for (Member older : decision.cancelled()) {
            cancel(older.id(), decision.job());
        }
        if (decision.effect().isNew()) {
            add(job, decision.behind(), keys);
            JobId parent = job.spec().extras().parent();
            if (parent != null && created.contains(parent)) {
                link(job.spec().id(), parent);
            }
        } else if (decision.changesJob()) {
            change(job, decision.job());
        }
        KeyMemory memory = decision.memory();
        if (memory != null) {
            KeyRows.remember(tx, Objects.requireNonNull(AdmissionControl.key(job.spec())), memory);
        }
    }

    private void cancel(JobId older, JobId newer) throws SQLException {
        CommandResult result = AdminCommands.execute(tx, new AdminCommand.Cancel(older,
                DedupeRules.supersededBy(newer), DedupeRules.ACTOR, tx.now()), families);
        families.cancelled(result instanceof CommandResult.StillRunning(var attempt) ? attempt.node() : null);
    }

    private void add(NewJob job, @Nullable JobId behind, KeyRows keys) throws SQLException {
        target.add(tx, job, behind == null);
        if (behind != null) {
            long older = Objects.requireNonNull(keys.seqOf(behind), "only a loaded job can be held");
            Successors.putBehind(tx, job.spec().id(), older, Lanes.blocked(job.spec()));
            if (ownsTransaction) {
                Successors.mark(tx, older);
            }
        }
        limits.addMembers(List.of(job));
    }

    /** Links a job with a parent that was stored just before. */
    private void link(JobId child, JobId parent) throws SQLException {
        String seq = "(SELECT seq FROM heddle.job WHERE id = ?)";
        tx.update("UPDATE heddle.live SET parent = " + seq + " WHERE seq = " + seq, parent, child);
        tx.update("UPDATE heddle.live SET has_children = TRUE WHERE seq = " + seq, parent);
    }

    private record Waiting(long seq, JobState state, boolean blocked, boolean ran, List<LimitKey> limits) {}

    private Waiting waiting(JobId id) throws SQLException {
        try (ResultSet row = tx.query("""
                SELECT l.seq, l.state, l.behind IS NOT NULL, l.attempt > 0, j.limits
                FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq WHERE j.id = ?""", id)) {
            if (!row.next()) {
                throw new SQLException("job " + id + " was locked and is gone");
            }
            return new Waiting(row.getLong(1), Rows.liveState(row.getString(2)), row.getBoolean(3), row.getBoolean(4),
                    Json.readLimits(row.getString(5)));
        }
    }

    /** Has an unclaimed job take the payload and options of a submit, and start from the beginning. */
    private void change(NewJob job, JobId standing) throws SQLException {
        Waiting before = waiting(standing);
        JobSpec spec = job.spec();
        List<@Nullable Object> values = new ArrayList<>();
        TAKEN.forEach(column -> values.add(column.parameter(spec)));
        values.add(before.seq);
        tx.update(TAKE, values.toArray());
        var due = job.start().dueAt(tx.now()).orElse(null);
        JobState to = before.state == JobState.PAUSED ? JobState.PAUSED
                : due == null ? JobState.QUEUED : JobState.SCHEDULED;
        Lanes.Lane lane = before.blocked ? Lanes.blocked(spec) : Lanes.of(spec);
        CountRows.move(tx, List.of(before.seq), null);
        tx.update("""
                UPDATE heddle.live SET lane = (SELECT id FROM heddle.lane WHERE queue = ? AND type = ? AND NOT suspect),
                       priority = ?, state = ?, due_at = ?, due_after_span =\s"""
                + (job.start() instanceof Start.After ? "TRUE" : "FALSE")
                + ", failures = 0, crashes = 0, suspicion = NULL, submitted_at = ?, limit_group = ?, limit_key = ?"
                + (to == JobState.PAUSED ? "" : ", reason = NULL") + " WHERE seq = ?", lane.queue(), lane.type(),
                spec.priority(), to, due, spec.session().isPresent() ? tx.now() : null,
                before.blocked ? null : DedupeRules.limitGroup(spec), LimitRows.slotKey(spec), before.seq);
        CountRows.enter(tx, List.of(before.seq), null);
        if (before.ran) {
            SavedStateRows.delete(tx, new SeqList(List.of(before.seq)));
        }
        if (before.state != to) {
            HistoryRows.add(tx, before.seq, before.state, to, "changed by a submit with its dedupe key",
                    DedupeRules.ACTOR, tx.now());
        }
        if (!before.limits.equals(spec.limits())) {
            tx.batch("DELETE FROM heddle.limit_member WHERE limit_key = ? AND seq = ?", before.limits,
                    key -> new Object[]{LimitIds.key(key), before.seq});
            limits.addMember(spec.limits(), standing);
        }
    }

    /** Returns the submissions that need a plan, by their place. */
    public static Map<Boolean, List<Integer>> places(List<Submission> submissions) {
        List<Integer> plain = new ArrayList<>();
        List<Integer> planned = new ArrayList<>();
        for (int i = 0; i < submissions.size(); i++) {
            (SubmissionPlan.isNeeded(submissions.get(i)) ? planned : plain).add(i);
        }
        return Map.of(true, planned, false, plain);
    }
}
