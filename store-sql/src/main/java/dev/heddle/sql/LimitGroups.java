package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.limit.LimitIds;
import org.jspecify.annotations.Nullable;

/**
 * The groups in which jobs with limits wait. A job that has the only one of its keys needs none: it waits in a lane for
 * entering jobs, from which it is claimed like a job without limits if its keys have room. A claim moves it into a
 * group if they have none, or if another job of its group goes first. Later jobs of a group with waiting jobs join it
 * at once.
 */
public final class LimitGroups {

    private LimitGroups() {}

    /**
     * A group with its first job.
     *
     * @param turn the number of the job, which decides when the group has its first turn
     */
    record Head(long group, long place, int priority, long turn, Json.Text limits) {

        private Head with(Head other) {
            return new Head(group, place, Math.max(priority, other.priority), Math.min(turn, other.turn), limits);
        }
    }

    /** A new job and its number. */
    public record Joining(long seq, JobSpec job) {}

    /**
     * Returns which new jobs with limits join a group at once: there is one, or an earlier job of these belongs to it.
     * Other jobs enter. Either is right for any job; this is about what claims have to do.
     */
    public static Set<JobId> joining(Tx tx, Collection<JobSpec> jobs) throws SQLException {
        Set<JobId> joining = new HashSet<>();
        Map<Long, JobId> first = new LinkedHashMap<>();
        for (JobSpec job : jobs) {
            if (!job.limits().isEmpty() && (job.session().isPresent()
                    || first.putIfAbsent(LimitIds.group(job), job.id()) != null)) {
                joining.add(job.id());
            }
        }
        if (!first.isEmpty()) {
            try (ResultSet rows = tx.query("SELECT id FROM heddle.limit_group WHERE id" + tx.dialect().anyOf(),
                    new SeqList(first.keySet()))) {
                while (rows.next()) {
                    joining.add(Objects.requireNonNull(first.get(rows.getLong(1))));
                }
            }
        }
        return joining;
    }

    /**
     * Opens the groups of new jobs at once. Only a store with a single writer may do this: with several, they would wait
     * for each other, so they add events. Call this before the jobs are queued, so that they add none.
     */
    public static void addFor(Tx tx, List<Joining> queued) throws SQLException {
        List<Head> heads = new ArrayList<>();
        for (Joining one : queued) {
            JobSpec job = one.job;
            heads.add(new Head(LimitIds.group(job), LimitIds.place(job.queue(), job.type()), job.priority(), one.seq,
                    Objects.requireNonNull(Json.ofLimits(job.limits()))));
        }
        add(tx, heads);
    }

    /** Adds groups that do not exist, in the order of their numbers: several transactions may do so at once. */
    static void add(Tx tx, List<Head> heads) throws SQLException {
        Map<Long, Head> byGroup = new LinkedHashMap<>();
        heads.forEach(head -> byGroup.merge(head.group, head, Head::with));
        tx.batch("""
                INSERT INTO heddle.limit_group AS g (id, place, priority, turn, limits) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET priority = excluded.priority
                WHERE g.priority < excluded.priority""",
                byGroup.values().stream().sorted(Comparator.comparingLong(Head::group)).toList(),
                head -> new @Nullable Object[]{head.group, head.place, head.priority, head.turn, head.limits});
    }
}
