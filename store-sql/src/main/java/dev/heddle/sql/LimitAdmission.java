package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.job.JobId;
import dev.heddle.job.LimitKey;
import dev.heddle.limit.Allotment.Room;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitIds;
import dev.heddle.limit.LimitRules;
import dev.heddle.store.NewJob;
import org.jspecify.annotations.Nullable;

/**
 * Applies limits that drop new jobs or cancel old ones. Only the jobs under their keys have rows in
 * {@code limit_member}; a row means nothing once its job has ended.
 */
public final class LimitAdmission {

    private static final String LIVE = """
            FROM heddle.limit_member m JOIN heddle.live l ON l.seq = m.seq AND l.state <> 'CANCELLED'
            WHERE m.limit_key = ?""";

    private final Tx tx;
    private final LimitRules rules;
    private final Map<Long, Integer> added = new HashMap<>();

    private LimitAdmission(Tx tx, LimitRules rules) {
        this.tx = tx;
        this.rules = rules;
    }

    /**
     * Reads the limits if any of the jobs has one.
     *
     * @param locks whether to lock keys that drop jobs, so that nobody else submits under them meanwhile
     */
    public static LimitAdmission of(Tx tx, List<NewJob> jobs, boolean locks) throws SQLException {
        if (jobs.stream().allMatch(job -> job.spec().limits().isEmpty())) {
            return new LimitAdmission(tx, LimitRules.NONE);
        }
        LimitAdmission admission = new LimitAdmission(tx, LimitRows.rules(tx));
        Set<Long> dropping = jobs.stream().flatMap(job -> admission.keys(job, Limit.WhenFull.DROP_NEW).stream())
                .map(LimitIds::key).collect(Collectors.toSet());
        if (locks && !dropping.isEmpty()) {
            tx.dialect().lockKeys(tx, new SeqList(dropping));
        }
        return admission;
    }

    private List<LimitKey> keys(NewJob job, Limit.WhenFull whenFull) {
        return job.spec().limits().stream().filter(key -> {
            Limit limit = rules.find(key.limit());
            return limit != null && limit.whenFull() == whenFull;
        }).toList();
    }

    /** Returns the key that has no room for a new job; null if all have. What was admitted before counts. */
    @Nullable LimitKey lacking(NewJob job) throws SQLException {
        for (LimitKey key : keys(job, Limit.WhenFull.DROP_NEW)) {
            int before = added.getOrDefault(LimitIds.key(key), 0);
            Limit limit = rules.find(key.limit());
            if (limit != null && !admits(limit, key, before)) {
                return key;
            }
        }
        keys(job, Limit.WhenFull.DROP_NEW).forEach(key -> added.merge(LimitIds.key(key), 1, Integer::sum));
        return null;
    }

    private boolean admits(Limit limit, LimitKey key, int before) throws SQLException {
        long id = LimitIds.key(key);
        long live;
        long waiting;
        try (ResultSet row = tx.query("SELECT count(*), count(CASE WHEN l.node IS NULL THEN 1 END) " + LIVE, id)) {
            row.next();
            live = row.getLong(1) + before;
            waiting = row.getLong(2) + before;
        }
        Room room = LimitRows.rooms(tx, List.of(key), rules).getOrDefault(id, Room.UNLIMITED);
        return (limit.maxConcurrent() == null || live < limit.maxConcurrent())
                && (limit.rate() == null || room.units() - waiting >= limit.rate().needed(key.weight()));
    }

    /** Notes a job that was changed, under the keys of its new limits. */
    void addMember(List<LimitKey> keys, JobId job) throws SQLException {
        List<LimitKey> counted = keys.stream().filter(key -> {
            Limit limit = rules.find(key.limit());
            return limit != null && limit.whenFull() != Limit.WhenFull.QUEUE;
        }).toList();
        tx.batch("""
                INSERT INTO heddle.limit_member (limit_key, seq) SELECT ?, seq FROM heddle.job WHERE id = ?
                ON CONFLICT (limit_key, seq) DO NOTHING""", counted, key -> new Object[]{LimitIds.key(key), job});
    }

    /** Notes the jobs that were stored, under the keys whose limits count them. */
    public void addMembers(List<NewJob> stored) throws SQLException {
        record Member(long key, NewJob job) {}
        List<Member> members = new ArrayList<>();
        for (NewJob job : stored) {
            keys(job, Limit.WhenFull.DROP_NEW).forEach(key -> members.add(new Member(LimitIds.key(key), job)));
            keys(job, Limit.WhenFull.CANCEL_RUNNING).forEach(key -> members.add(new Member(LimitIds.key(key), job)));
        }
        tx.batch("""
                INSERT INTO heddle.limit_member (limit_key, seq) SELECT ?, seq FROM heddle.job WHERE id = ?
                ON CONFLICT (limit_key, seq) DO NOTHING""", members,
                member -> new Object[]{member.key, member.job.spec().id()});
    }

    /** Returns the jobs of a key that are more than its limit, the oldest first. */
    static List<JobId> excess(Tx tx, LimitKey key) throws SQLException {
        Limit limit = LimitRows.rules(tx).find(key.limit());
        List<JobId> excess = new ArrayList<>();
        if (limit == null || limit.maxConcurrent() == null) {
            return excess;
        }
        try (ResultSet rows = tx.query("SELECT j.id FROM heddle.job j WHERE j.seq IN (SELECT m.seq " + LIVE
                + " ORDER BY m.seq DESC LIMIT 1000 OFFSET ?) ORDER BY j.seq", LimitIds.key(key),
                limit.maxConcurrent())) {
            while (rows.next()) {
                excess.add(JobId.of(rows.getString(1)));
            }
        }
        return excess;
    }
}
