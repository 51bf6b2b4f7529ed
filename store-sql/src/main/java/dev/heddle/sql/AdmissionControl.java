package dev.heddle.sql;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Receipt.Stored;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Decides which jobs of a batch of submissions are stored. A live job with the same dedupe key takes a job's place, a
 * queue may be full, and a parent may be missing. What the batch itself adds counts before it is written.
 */
public final class AdmissionControl {

    /** Separates the type from the dedupe key, which is unique within a type. */
    static final String SEPARATOR = "\u001F";

    /** Selects keys and the newest of the live jobs that have them. To be followed by a condition on {@code l.dedupe}. */
    public static final String HOLDERS = """
            SELECT l.dedupe, j.id FROM heddle.live l JOIN heddle.job j ON j.seq = CASE WHEN l.has_successor
                THEN coalesce((SELECT s.seq FROM heddle.live s WHERE s.behind = l.seq), l.seq) ELSE l.seq END
            WHERE""";

    private final Lookup lookup;
    private final LimitAdmission limits;
    private final List<NewJob> admitted = new ArrayList<>();
    private final List<Receipt> receipts = new ArrayList<>();
    private final Map<String, JobId> keys = new HashMap<>();
    private final Set<JobId> ids = new HashSet<>();
    private final Map<String, Integer> queued = new HashMap<>();
    private final Set<JobId> parents = new HashSet<>();

    /** Answers questions about jobs that are already stored. */
    public interface Lookup {

        /** Returns the live job that has this key; null if there is none. */
        @Nullable JobId holder(String key) throws SQLException;

        /** Returns whether a job has this id, live or ended. */
        boolean exists(JobId id) throws SQLException;

        /** Returns whether the job exists. If it does, it cannot be deleted before the transaction ends. */
        boolean isParent(JobId id) throws SQLException;

        /** Returns whether the attempt still has its job. If it does, it cannot lose it before the transaction ends. */
        boolean isHeld(Fence attempt) throws SQLException;

        /** Returns how many jobs of the queue are QUEUED, counting no further than a limit. */
        int queued(String queue, int limit) throws SQLException;
    }

    /** Creates the control for one batch. */
    public AdmissionControl(Lookup lookup, LimitAdmission limits) {
        this.lookup = lookup;
        this.limits = limits;
    }

    /** Returns the jobs to be stored. */
    public List<NewJob> admitted() {
        return admitted;
    }

    /** Admits a submission, or refuses all of it. */
    public void add(Submission submission) throws SQLException {
        receipts.add(admit(submission));
    }

    /**
     * Returns the answers for the submitters, in the order of their submissions.
     *
     * @param existing the admitted jobs that turned out to be stored already
     */
    public List<Receipt> receipts(Set<JobId> existing) {
        return existing.isEmpty() ? receipts
                : receipts.stream().map(receipt -> receipt instanceof Receipt.Accepted(List<Stored> jobs)
                        ? new Receipt.Accepted(jobs.stream()
                                .map(job -> new Stored(job.id(), job.isNew() && !existing.contains(job.id()))).toList())
                        : receipt).toList();
    }

    private Receipt admit(Submission submission) throws SQLException {
        JobId missing = missingParent(submission);
        if (missing != null) {
            return new Receipt.NoParent(missing);
        }
        Receipt.@Nullable Full full = lackOfRoom(submission);
        if (full != null) {
            return full;
        }
        LimitKey lacking = lackingLimit(submission);
        if (lacking != null) {
            return new Receipt.NoRoom(lacking);
        }
        List<Stored> accepted = new ArrayList<>(submission.jobs().size());
        for (NewJob job : submission.jobs()) {
            JobId duplicate = duplicateOf(job.spec());
            boolean isNew = duplicate == null && ids.add(job.spec().id());
            if (isNew) {
                admitted.add(job);
                remember(job);
            }
            accepted.add(new Stored(duplicate == null ? job.spec().id() : duplicate, isNew));
        }
        return new Receipt.Accepted(accepted);
    }

    private @Nullable LimitKey lackingLimit(Submission submission) throws SQLException {
        for (NewJob job : submission.jobs()) {
            if (!job.spec().limits().isEmpty() && duplicateOf(job.spec()) == null && !ids.contains(job.spec().id())
                    && !lookup.exists(job.spec().id())) {
                LimitKey lacking = limits.lacking(job);
                if (lacking != null) {
                    return lacking;
                }
            }
        }
        return null;
    }

    private @Nullable JobId missingParent(Submission submission) throws SQLException {
        boolean orphaned = submission.spawner() != null && !lookup.isHeld(submission.spawner());
        for (NewJob job : submission.jobs()) {
            JobId parent = job.spec().extras().parent();
            if (parent != null && (orphaned || !isParent(parent, submission))) {
                return parent;
            }
        }
        return null;
    }

    private boolean isParent(JobId id, Submission submission) throws SQLException {
        if (parents.contains(id) || lookup.isParent(id) || Stream.concat(admitted.stream(), submission.jobs().stream())
                .anyMatch(job -> job.spec().id().equals(id))) {
            parents.add(id);
            return true;
        }
        return false;
    }

    private void remember(NewJob job) {
        String key = key(job.spec());
        if (key != null) {
            keys.put(key, job.spec().id());
        }
        if (job.capacity() != NewJob.UNLIMITED && job.startsAtOnce()) {
            queued.merge(job.spec().queue(), 1, Integer::sum);
        }
    }

    /** Counts only queues that have a capacity, and each no further than its capacity. */
    private Receipt.@Nullable Full lackOfRoom(Submission submission) throws SQLException {
        Map<String, Integer> wanted = new HashMap<>();
        for (NewJob job : submission.jobs()) {
            if (job.capacity() == NewJob.UNLIMITED || !job.startsAtOnce()) {
                continue;
            }
            String queue = job.spec().queue();
            if (duplicateOf(job.spec()) != null || ids.contains(job.spec().id()) || lookup.exists(job.spec().id())) {
                continue;
            }
            int before = queued.containsKey(queue) ? queued.get(queue) : lookup.queued(queue, job.capacity());
            queued.put(queue, before);
            if (before + wanted.merge(queue, 1, Integer::sum) > job.capacity()) {
                return new Receipt.Full(queue, job.capacity());
            }
        }
        return null;
    }

    /** Returns the live or admitted job with the same dedupe key; null if there is none. */
    private @Nullable JobId duplicateOf(JobSpec spec) throws SQLException {
        String key = key(spec);
        if (key == null) {
            return null;
        }
        JobId pending = keys.get(key);
        return pending != null ? pending : lookup.holder(key);
    }

    /** Returns the value of {@code live.dedupe}: type and dedupe key; null if the job has no key. */
    public static @Nullable String key(JobSpec spec) {
        return spec.extras().dedupeKey() == null ? null : spec.type() + SEPARATOR + spec.extras().dedupeKey();
    }
}
