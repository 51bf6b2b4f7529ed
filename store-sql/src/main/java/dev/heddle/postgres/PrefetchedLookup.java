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
import dev.heddle.sql.AdmissionControl;
import dev.heddle.sql.Tx;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/** Loads all answers for a batch of jobs at once, because every single question would be a round trip. */
record PrefetchedLookup(Tx tx, Map<String, JobId> holders, Set<JobId> ids,
        ParentLocks parents) implements AdmissionControl.Lookup {

    static PrefetchedLookup load(Tx tx, List<Submission> submissions, TransactionOwner owner, boolean mayExist)
            throws SQLException {
        List<NewJob> jobs = Inserts.jobs(submissions);
        List<NewJob> bounded = jobs.stream().filter(job -> job.capacity() != NewJob.UNLIMITED).toList();
        List<NewJob> limited = jobs.stream().filter(job -> !job.spec().limits().isEmpty()).toList();
        if (owner.isStore()) {
            for (String queue : new TreeSet<>(bounded.stream().map(job -> job.spec().queue()).toList())) {
                tx.query("SELECT pg_advisory_xact_lock(hashtextextended(?, 1))", "heddle queue " + queue).close();
            }
        }
        PrefetchedLookup lookup = new PrefetchedLookup(tx, new HashMap<>(), new HashSet<>(),
                ParentLocks.lock(tx, submissions, owner.marked()));
        List<String> keys = jobs.stream().map(job -> AdmissionControl.key(job.spec())).filter(Objects::nonNull)
                .toList();
        if (!keys.isEmpty()) {
            try (ResultSet rows = tx.query(AdmissionControl.HOLDERS + " l.dedupe = ANY (?)",
                    (Object) new ArrayColumns<>(keys).texts(key -> key))) {
                while (rows.next()) {
                    lookup.holders.put(rows.getString(1), JobId.of(rows.getString(2)));
                }
            }
        }
        List<NewJob> checked = mayExist ? jobs : limited.isEmpty() ? bounded : jobs;
        if (!checked.isEmpty()) {
            try (ResultSet rows = tx.query("SELECT id FROM heddle.job WHERE id = ANY (?::uuid[])",
                    (Object) new ArrayColumns<>(checked).ids(job -> job.spec().id()))) {
                while (rows.next()) {
                    lookup.ids.add(JobId.of(rows.getString(1)));
                }
            }
        }
        return lookup;
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
    public int queued(String queue, int limit) throws SQLException {
        try (ResultSet rows = tx.query("""
                SELECT count(*) FROM (SELECT 1 FROM heddle.lane JOIN heddle.live ON live.lane = lane.id
                WHERE lane.queue = ? AND live.state = 'QUEUED' LIMIT ?) counted""", queue, limit)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }
}
