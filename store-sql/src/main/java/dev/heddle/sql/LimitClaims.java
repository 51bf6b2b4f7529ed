package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.job.LimitKey;
import dev.heddle.limit.Allotment;
import dev.heddle.limit.Allotment.Group;
import dev.heddle.limit.Allotment.Pick;
import dev.heddle.limit.Allotment.Waiting;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitIds;
import dev.heddle.limit.Rate;
import dev.heddle.sql.ClaimCandidates.Candidate;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult.Claim;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs that have limits. A claim reads a {@link LimitPage}, locks its keys, counts the jobs that nodes hold under
 * each, and lets {@link Allotment} decide. A job that enters and cannot start joins its group. A group without room is
 * closed until its key is freed, so neither the jobs nor the groups that wait are ever scanned. Everything happens in
 * the transaction of the claim, and the locks are held until its end.
 */
public final class LimitClaims {

    /** The most pages that one claim reads. */
    public static final int MAX_PAGES = 50;

    private final Tx tx;
    private final int limit;
    private final LimitPage page;
    private int chosen;
    private boolean readsOn;

    private LimitClaims(Tx tx, List<Lanes.Open> lanes, int limit) throws SQLException {
        this.tx = tx;
        this.limit = limit;
        this.page = new LimitPage(tx, lanes, limit);
    }

    /**
     * Reads a page of jobs with limits and locks their keys.
     *
     * @param lanes the lanes that are wanted and not paused; those of jobs without limits are ignored
     */
    public static LimitClaims look(Tx tx, List<Lanes.Open> lanes, int limit) throws SQLException {
        return new LimitClaims(tx, lanes.stream().filter(lane -> lane.kind() != Lanes.Kind.PLAIN).toList(), limit);
    }

    /** Returns what a request still wants after some claims. */
    public static ClaimRequest rest(ClaimRequest request, List<Claim> claims) {
        record Kind(String type, boolean suspect) {}
        Map<Kind, Long> claimed = claims.stream().collect(Collectors.groupingBy(
                claim -> new Kind(claim.job().type(), claim.suspicion().suspect()), Collectors.counting()));
        return new ClaimRequest(request.node(), request.now(), request.elapsed(), request.limit() - claims.size(),
                request.wanted().stream()
                        .map(one -> new Wanted(one.type(), one.suspect(),
                                one.limit() - claimed.getOrDefault(new Kind(one.type(), one.suspect()), 0L).intValue(),
                                one.excludedTags()))
                        .filter(one -> one.limit() > 0).toList());
    }

    /** Returns whether any job with limits could start. */
    public boolean hasPicks() {
        return !page.picks().isEmpty();
    }

    /** Returns whether a claim should read another page, because it has fewer jobs than were requested. */
    public static boolean goesOn(Tx tx, ClaimRequest request, List<Claim> claims, LimitClaims page)
            throws SQLException {
        boolean ended = claims.stream().anyMatch(claim -> claim.suspicion().isCapped());
        return claims.size() < request.limit() && !ended && (page.readsOn || LimitEvents.pending(tx));
    }

    /**
     * Merges the jobs that could start with those that have no limits: by priority, and among equal priorities the
     * oldest first, as far as the turns of the groups allow.
     *
     * @param plain jobs without limits, in claiming order
     */
    public List<Candidate> merge(List<Candidate> plain) {
        List<Candidate> merged = merged(plain);
        chosen = merged.size();
        return merged;
    }

    private List<Candidate> merged(List<Candidate> plain) {
        List<Pick<Candidate>> picks = page.picks();
        List<Candidate> merged = new ArrayList<>();
        Map<Wanted, Integer> taken = new HashMap<>();
        int next = 0;
        int nextPick = 0;
        while (merged.size() < limit && (next < plain.size() || nextPick < picks.size())) {
            boolean pick = nextPick < picks.size() && (next == plain.size()
                    || ClaimCandidates.CLAIM_ORDER.compare(picks.get(nextPick).job(), plain.get(next)) < 0);
            Candidate candidate = pick ? picks.get(nextPick++).job() : plain.get(next++);
            Wanted wanted = candidate.lane().wanted();
            if (taken.merge(wanted, 1, Integer::sum) <= wanted.limit()) {
                merged.add(candidate);
                if (candidate.isCapped()) {
                    return merged;
                }
            }
        }
        return merged;
    }

    /** Notes what was claimed, and what cannot start. Call this even if nothing was claimed. */
    public void claimed(List<Claim> claims) throws SQLException {
        Map<Long, Integer> attempts = claims.stream()
                .collect(Collectors.toMap(claim -> claim.job().seq(), claim -> claim.job().counts().attempt()));
        List<Pick<Candidate>> started = page.picks().stream()
                .filter(pick -> attempts.containsKey(pick.job().seq())).toList();
        boolean rated = started.stream().flatMap(pick -> pick.group().keys().stream())
                .anyMatch(key -> LimitRows.rate(page.rules(), key) != null);
        Long now = rated ? LimitRows.nanos(tx.now()) : null;
        addSlots(started, attempts, now);
        if (now != null) {
            takeRates(started, now);
        }
        Map<Group<Candidate>, LimitKey> full = Allotment.full(page.groups(), page.rooms(),
                started.stream().map(Pick::group).toList());
        Set<Long> joined = join(started, attempts.keySet(), full.keySet());
        full.keySet().removeIf(group -> !page.isStored(group) && !joined.contains(group.id()));
        readsOn = !joined.isEmpty() || claims.size() < chosen;
        close(full);
        Set<Long> gone = deleteEmpty(started, full.keySet(), joined);
        moveTurns(started, gone, joined);
    }

    /**
     * Has entering jobs join their groups: those of a group that is full or has just had its turn, and of any other
     * group all but the first. Returns the groups.
     */
    private Set<Long> join(List<Pick<Candidate>> started, Set<Long> claimed, Set<Group<Candidate>> full)
            throws SQLException {
        Set<Long> moved = started.stream().map(pick -> pick.group().id()).collect(Collectors.toSet());
        List<LimitGroups.Head> heads = new ArrayList<>();
        Map<Lanes.Open, List<Long>> joining = new LinkedHashMap<>();
        // A job with damaged limits has no keys, which do not keep it from running.
        for (Group<Candidate> group : page.groups().stream().filter(one -> !one.keys().isEmpty()).toList()) {
            boolean mayStay = !moved.contains(group.id()) && !full.contains(group);
            List<Candidate> left = group.jobs().stream().map(Waiting::job)
                    .filter(job -> job.lane().kind() == Lanes.Kind.ENTERING && !claimed.contains(job.seq()))
                    .skip(mayStay ? 1 : 0).toList();
            for (Candidate job : left) {
                joining.computeIfAbsent(job.lane(), _ -> new ArrayList<>()).add(job.seq());
                heads.add(new LimitGroups.Head(group.id(), LimitPage.place(job.lane()), job.priority(), job.seq(),
                        Objects.requireNonNull(Json.ofLimits(group.keys()))));
            }
        }
        Set<Long> joined = new HashSet<>();
        for (Map.Entry<Lanes.Open, List<Long>> lane : joining.entrySet()) {
            try (ResultSet rows = tx.query("""
                    UPDATE heddle.live SET lane = ?,
                           limit_group = (SELECT j.limit_group FROM heddle.job j WHERE j.seq = live.seq)
                    WHERE seq IN (SELECT seq FROM heddle.live WHERE lane = ? AND state = 'QUEUED' AND seq"""
                    + tx.dialect().anyOf() + tx.dialect().forUpdateSkipLocked("live") + ") RETURNING limit_group",
                    Lanes.grouped(tx, lane.getKey()), lane.getKey().id(), new SeqList(lane.getValue()))) {
                while (rows.next()) {
                    joined.add(rows.getLong(1));
                }
            }
        }
        LimitGroups.add(tx, heads.stream().filter(head -> joined.contains(head.group())).toList());
        return joined;
    }

    /** Returns how long until this or until a rate has room again. */
    public @Nullable Duration untilDue(@Nullable Duration untilDue) throws SQLException {
        return page.rules().hasRates() ? LimitEvents.sooner(tx, untilDue) : untilDue;
    }

    private void addSlots(List<Pick<Candidate>> started, Map<Long, Integer> attempts, @Nullable Long now)
            throws SQLException {
        record Slot(long key, long seq, int attempt) {}
        List<Slot> slots = new ArrayList<>();
        for (Pick<Candidate> pick : started) {
            long seq = pick.job().seq();
            List<LimitKey> keys = pick.group().keys();
            for (LimitKey key : keys) {
                boolean takenByRow = page.rowTakesSlot(pick.job()) && key.equals(keys.getFirst());
                if (!takenByRow || LimitRows.rate(page.rules(), key) != null) {
                    slots.add(new Slot(LimitIds.key(key), seq, attempts.getOrDefault(seq, 0)));
                }
            }
        }
        tx.batch("""
                INSERT INTO heddle.limit_slot (limit_key, seq, attempt, taken_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (limit_key, seq) DO UPDATE SET attempt = excluded.attempt, taken_at = excluded.taken_at""",
                slots, slot -> new @Nullable Object[]{slot.key, slot.seq, slot.attempt, now});
    }

    private void takeRates(List<Pick<Candidate>> started, long now) throws SQLException {
        Map<Long, Long> states = null;
        for (Pick<Candidate> pick : started) {
            for (LimitKey key : pick.group().keys()) {
                Rate rate = LimitRows.rate(page.rules(), key);
                if (rate != null) {
                    states = states == null ? LimitRows.rateStates(tx, new SeqList(page.rooms().keySet())) : states;
                    states.merge(LimitIds.key(key), rate.take(0, now, key.weight()),
                            (state, _) -> rate.take(state, now, key.weight()));
                }
            }
        }
        if (states != null) {
            tx.batch("""
                    INSERT INTO heddle.limit_rate (limit_key, state) VALUES (?, ?)
                    ON CONFLICT (limit_key) DO UPDATE SET state = excluded.state""", List.copyOf(states.entrySet()),
                    state -> new Object[]{state.getKey(), state.getValue()});
        }
    }

    private void close(Map<Group<Candidate>, LimitKey> full) throws SQLException {
        if (full.isEmpty()) {
            return;
        }
        Set<Long> closing = fullOfMarked(full);
        Map<Long, Long> freeAt = freeAt(full.values());
        closing.addAll(freeAt.keySet());
        tx.batch("""
                UPDATE heddle.limit_rate SET free_at = ? WHERE limit_key = ? AND (free_at IS NULL OR free_at > ?)""",
                List.copyOf(freeAt.entrySet()), at -> new Object[]{at.getValue(), at.getKey(), at.getValue()});
        Map<Long, List<Long>> byKey = new HashMap<>();
        Set<Long> left = new LinkedHashSet<>();
        full.forEach((group, key) -> {
            long id = LimitIds.key(key);
            if (closing.contains(id)) {
                byKey.computeIfAbsent(id, _ -> new ArrayList<>()).add(group.id());
                LimitRows.ids(group.keys()).stream().filter(other -> other != id).forEach(left::add);
            }
        });
        readsOn |= !byKey.isEmpty() && !page.isLast();
        for (Map.Entry<Long, List<Long>> entry : byKey.entrySet()) {
            tx.update("UPDATE heddle.limit_group SET closed_by = ?, turn = " + tx.dialect().nextTurn()
                    + " WHERE closed_by IS NULL AND id IN (SELECT id FROM heddle.limit_group WHERE id"
                    + tx.dialect().anyOf() + lockGroups() + ")", entry.getKey(), new SeqList(entry.getValue()));
        }
        free(left);
    }

    private String lockGroups() {
        return tx.dialect().forUpdateSkipLocked("limit_group").replace("FOR UPDATE", "FOR NO KEY UPDATE");
    }

    /**
     * Marks the jobs that take the slots of keys, so that their ends free the keys. Returns the keys that are full of
     * marked jobs: a job that is changing at this moment is not marked, and leaves its key open.
     */
    private Set<Long> fullOfMarked(Map<Group<Candidate>, LimitKey> full) throws SQLException {
        record Mark(long seq, String frees) {}
        Map<Long, Integer> most = new HashMap<>();
        for (LimitKey key : full.values()) {
            Limit rule = page.rules().find(key.limit());
            if (rule != null && rule.maxConcurrent() != null) {
                most.put(LimitIds.key(key), rule.maxConcurrent());
            }
        }
        if (most.isEmpty()) {
            return new HashSet<>();
        }
        SeqList keys = new SeqList(most.keySet());
        String slots = " FROM " + tx.dialect().numbers()
                + " JOIN heddle.limit_held s ON s.limit_key = n.value JOIN heddle.live l ON l.seq = s.seq WHERE ";
        String marked = "' ' || l.frees || ' ' LIKE '% ' || s.limit_key || ' %'";
        Map<Long, String> marks = new HashMap<>();
        try (ResultSet rows = tx.query("SELECT s.limit_key, l.seq, l.frees" + slots + "(l.frees IS NULL OR NOT "
                + marked + ")" + tx.dialect().forUpdateSkipLocked("l"), keys)) {
            while (rows.next()) {
                String key = rows.getString(1);
                marks.merge(rows.getLong(2), rows.getString(3) == null ? key : rows.getString(3) + " " + key,
                        (before, _) -> before + " " + key);
            }
        }
        tx.batch("UPDATE heddle.live SET frees = ? WHERE seq = ?",
                marks.entrySet().stream().map(mark -> new Mark(mark.getKey(), mark.getValue())).toList(),
                mark -> new Object[]{mark.frees, mark.seq});
        Set<Long> closing = new HashSet<>();
        try (ResultSet rows = tx.query("SELECT s.limit_key, count(*)" + slots + marked
                + " GROUP BY s.limit_key", keys)) {
            while (rows.next()) {
                if (rows.getLong(2) >= most.getOrDefault(rows.getLong(1), Integer.MAX_VALUE)) {
                    closing.add(rows.getLong(1));
                }
            }
        }
        return closing;
    }

    /** Returns when the rates of keys have room again, for those that have none now. */
    private Map<Long, Long> freeAt(Iterable<LimitKey> keys) throws SQLException {
        Map<Long, Long> freeAt = new HashMap<>();
        @Nullable Map<Long, Long> states = null;
        long now = LimitRows.nanos(tx.now());
        for (LimitKey key : keys) {
            Rate rate = LimitRows.rate(page.rules(), key);
            if (rate != null) {
                states = states == null ? LimitRows.rateStates(tx, new SeqList(page.rooms().keySet())) : states;
                long at = rate.freeAt(states.getOrDefault(LimitIds.key(key), 0L), key.weight());
                if (at > now) {
                    freeAt.merge(LimitIds.key(key), at, Math::min);
                }
            }
        }
        return freeAt;
    }

    /** Lets other groups have the room that a group was opened for and cannot use. */
    private void free(Set<Long> keys) throws SQLException {
        if (!keys.isEmpty()) {
            tx.update("""
                    INSERT INTO heddle.limit_event (frees)
                    SELECT DISTINCT CAST(closed_by AS TEXT) FROM heddle.limit_group WHERE closed_by"""
                    + tx.dialect().anyOf(), new SeqList(keys));
        }
    }

    /** Groups that had a turn go to the end; their most urgent job decides where that is. */
    private void moveTurns(List<Pick<Candidate>> started, Set<Long> gone, Set<Long> joined) throws SQLException {
        Set<Long> moved = Stream.concat(started.stream().map(Pick::group),
                page.groups().stream().filter(group -> group.jobs().isEmpty()))
                .filter(group -> page.isStored(group) || joined.contains(group.id())).map(Group::id)
                .filter(id -> !gone.contains(id)).collect(Collectors.toSet());
        if (!moved.isEmpty()) {
            tx.update("UPDATE heddle.limit_group SET turn = " + tx.dialect().nextTurn() + """
                    , priority = coalesce((SELECT l.priority FROM heddle.live l
                        WHERE l.limit_group = limit_group.id AND l.state = 'QUEUED'
                        ORDER BY l.priority DESC, l.seq LIMIT 1), priority)
                    WHERE id IN (SELECT id FROM heddle.limit_group WHERE id""" + tx.dialect().anyOf() + lockGroups()
                    + ")", new SeqList(moved));
        }
    }

    /**
     * Returns the groups that are gone. A new job locks its group, so a group that can be locked here has no job that
     * cannot be seen.
     */
    private Set<Long> deleteEmpty(List<Pick<Candidate>> started, Set<Group<Candidate>> full, Set<Long> joined)
            throws SQLException {
        Set<Long> claimed = started.stream().map(pick -> pick.job().seq()).collect(Collectors.toSet());
        List<Group<Candidate>> empty = page.groups().stream()
                .filter(group -> page.isStored(group) && page.isWhole(group) && !joined.contains(group.id()))
                .filter(group -> group.jobs().stream().map(Waiting::job)
                        .allMatch(job -> claimed.contains(job.seq()) || job.lane().kind() == Lanes.Kind.ENTERING))
                .toList();
        if (empty.isEmpty()) {
            return Set.of();
        }
        List<Long> locked = new ArrayList<>();
        try (ResultSet rows = tx.query("SELECT id FROM heddle.limit_group WHERE id" + tx.dialect().anyOf()
                + tx.dialect().forUpdateSkipLocked("limit_group"),
                new SeqList(empty.stream().map(Group::id).toList()))) {
            while (rows.next()) {
                locked.add(rows.getLong(1));
            }
        }
        Set<Long> gone = new HashSet<>();
        try (ResultSet rows = tx.query("DELETE FROM heddle.limit_group WHERE id" + tx.dialect().anyOf() + """
                AND NOT EXISTS (SELECT 1 FROM heddle.live l
                   WHERE l.limit_group = limit_group.id AND l.state = 'QUEUED') RETURNING id""",
                new SeqList(locked))) {
            while (rows.next()) {
                gone.add(rows.getLong(1));
            }
        }
        free(empty.stream().filter(group -> gone.contains(group.id()) && !full.contains(group))
                .flatMap(group -> LimitRows.ids(group.keys()).stream()).collect(Collectors.toSet()));
        return gone;
    }
}
