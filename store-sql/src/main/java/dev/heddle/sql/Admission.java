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
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Receipt;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Decides which jobs of a batch of submissions are stored: another job may stand for one by its dedupe key, and a
 * queue may have no room. Remembers what the batch itself adds before it is written.
 */
public final class Admission {

    /** Keys are unique within a type; a unit separator keeps the two apart. */
    static final String SEPARATOR = "\u001F";

    private final Facts facts;
    private final List<NewJob> admitted = new ArrayList<>();
    private final Map<String, JobId> keys = new HashMap<>();
    private final Set<JobId> ids = new HashSet<>();
    private final Map<String, Integer> queued = new HashMap<>();
    private final Set<JobId> parents = new HashSet<>();

    /** What the store has. */
    public interface Facts {

        /** The live job that has this key; null where there is none. */
        @Nullable
        JobId holder(String key) throws SQLException;

        boolean exists(JobId id) throws SQLException;

        /** Whether the job is there, and stays there until the end of the transaction. */
        boolean isParent(JobId id) throws SQLException;

        /** Whether the attempt has its job, and keeps it until the end of the transaction. */
        boolean isHeld(Fence attempt) throws SQLException;

        /** How many jobs of the queue are QUEUED, counted up to a number. */
        int queued(String queue, int upTo) throws SQLException;
    }

    public Admission(Facts facts) {
        this.facts = facts;
    }

    /** The jobs to be stored so far. */
    public List<NewJob> admitted() {
        return admitted;
    }

    public Receipt add(Submission submission) throws SQLException {
        JobId missing = missingParent(submission);
        if (missing != null) {
            return new Receipt.NoParent(missing);
        }
        Receipt.@Nullable Full full = lackOfRoom(submission);
        if (full != null) {
            return full;
        }
        List<JobId> accepted = new ArrayList<>(submission.jobs().size());
        for (NewJob job : submission.jobs()) {
            JobId standing = standing(job.spec());
            if (standing == null) {
                admitted.add(job);
                remember(job);
                accepted.add(job.spec().id());
            } else {
                accepted.add(standing);
            }
        }
        return new Receipt.Accepted(accepted);
    }

    private @Nullable JobId missingParent(Submission submission) throws SQLException {
        boolean orphaned = submission.spawner() != null && !facts.isHeld(submission.spawner());
        for (NewJob job : submission.jobs()) {
            JobId parent = job.spec().extras().parent();
            if (parent != null && (orphaned || !isParent(parent, submission))) {
                return parent;
            }
        }
        return null;
    }

    private boolean isParent(JobId id, Submission submission) throws SQLException {
        if (parents.contains(id) || facts.isParent(id)
                || Stream.concat(admitted.stream(), submission.jobs().stream())
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
            if (standing(job.spec()) != null || ids.contains(job.spec().id())
                    || facts.exists(job.spec().id())) {
                continue;
            }
            int before = queued.containsKey(queue) ? queued.get(queue) : facts.queued(queue, job.capacity());
            queued.put(queue, before);
            if (before + wanted.merge(queue, 1, Integer::sum) > job.capacity()) {
                return new Receipt.Full(queue, job.capacity());
            }
        }
        return null;
    }

    /** The live job that stands in for this one by its dedupe key, if there is one. */
    private @Nullable JobId standing(JobSpec spec) throws SQLException {
        String key = key(spec);
        if (key == null) {
            return null;
        }
        JobId pending = keys.get(key);
        return pending != null ? pending : facts.holder(key);
    }

    /** As the {@code dedupe} column has it; null where the job has no key. */
    public static @Nullable String key(JobSpec spec) {
        return spec.extras().dedupeKey() == null ? null : spec.type() + SEPARATOR + spec.extras().dedupeKey();
    }
}
