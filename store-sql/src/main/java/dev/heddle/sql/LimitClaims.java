package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.job.LimitKey;
import dev.heddle.limit.Allotment;
import dev.heddle.limit.Allotment.Group;
import dev.heddle.limit.Allotment.Pick;
import dev.heddle.limit.Allotment.Room;
import dev.heddle.limit.Allotment.Waiting;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitIds;
import dev.heddle.limit.LimitRules;
import dev.heddle.limit.Rate;
import dev.heddle.sql.ClaimCandidates.Candidate;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.SessionStore;
import org.jspecify.annotations.Nullable;

/**
 * Claims jobs that have limits. A claim reads a page of open groups in the order of their turns, locks their keys,
 * counts the jobs that nodes hold under each, and lets {@link Allotment} decide. A group without room is closed until
 * its key is freed, so neither the jobs nor the groups that wait are ever scanned. Everything happens in the
 * transaction of the claim, and the locks are held until its end.
 */
public final class LimitClaims {

    /** The most pages that one claim reads. */
    public static final int MAX_PAGES = 50;

    private static final int EXTRA_GROUPS = 64;
    private static final int MAX_TERMS = 200;

    private final Tx tx;
    private final int limit;
    private final LimitRules rules;
    private final List<Group<Candidate>> groups = new ArrayList<>();
    private final List<Pick<Candidate>> picks;
    private final Map<Long, Room> rooms;
    /** Groups of which all waiting jobs were read. */
    private final Set<Long> readWhole = new HashSet<>();
    private final boolean isLastPage;
    private boolean closedAny;

    private LimitClaims(Tx tx, List<Lanes.Open> lanes, int limit) throws SQLException {
        this.tx = tx;
        this.limit = limit;
        Map<Long, List<LimitKey>> page = page(lanes, limit + EXTRA_GROUPS);
        this.isLastPage = page.size() < limit + EXTRA_GROUPS;
        List<LimitKey> keys = page.values().stream().flatMap(List::stream).distinct().toList();
        tx.dialect().lockKeys(tx, new SeqList(LimitRows.ids(keys)));
        this.rules = LimitRows.rules(tx);
        this.rooms = page.isEmpty() ? Map.of() : LimitRows.rooms(tx, keys, rules);
        this.picks = page.isEmpty() ? List.of() : pick(page, lanes);
    }

    /**
     * Reads a page of groups and locks their keys.
     *
     * @param lanes the lanes that are wanted and not paused; those of jobs without limits are ignored
     */
    public static LimitClaims look(Tx tx, List<Lanes.Open> lanes, int limit) throws SQLException {
        return new LimitClaims(tx, lanes.stream().filter(Lanes.Open::limited).toList(), limit);
    }

    private Map<Long, List<LimitKey>> page(List<Lanes.Open> lanes, int most) throws SQLException {
        record Row(long id, int priority, long turn, List<LimitKey> keys) {}
        List<Long> places = places(lanes);
        List<Row> found = new ArrayList<>();
        for (int from = 0; from < places.size(); from += MAX_TERMS) {
            List<Object> parameters = new ArrayList<>();
            List<Long> some = places.subList(from, Math.min(from + MAX_TERMS, places.size()));
            for (long place : some) {
                parameters.addAll(List.of(place, most));
            }
            String sql = String.join("\nUNION ALL ", Collections.nCopies(some.size(), """
                    SELECT * FROM (SELECT id, priority, turn, limits FROM heddle.limit_group
                    WHERE closed_by IS NULL AND place = ? ORDER BY priority DESC, turn LIMIT ?) one"""));
            try (ResultSet rows = tx.query(sql, parameters.toArray())) {
                while (rows.next()) {
                    found.add(new Row(rows.getLong(1), rows.getInt(2), rows.getLong(3),
                            Json.readLimits(rows.getString(4))));
                }
            }
        }
        Map<Long, List<LimitKey>> page = new LinkedHashMap<>();
        found.stream()
                .sorted(Comparator.comparingInt((Row row) -> -row.priority).thenComparingLong(Row::turn)
                        .thenComparingLong(Row::id))
                .limit(most).forEach(row -> page.put(row.id, row.keys));
        return page;
    }

    static List<Long> places(List<Lanes.Open> lanes) {
        return lanes.stream().map(lane -> LimitIds.place(lane.queue(), SessionStore.plainType(lane.wanted().type())))
                .distinct().toList();
    }

    /** Reads a few jobs of each group, and more if those are not enough. */
    private List<Pick<Candidate>> pick(Map<Long, List<LimitKey>> page, List<Lanes.Open> lanes) throws SQLException {
        int each = Math.ceilDiv(limit, page.size()) + 1;
        while (true) {
            int most = Math.min(limit, each);
            Map<Long, List<Waiting<Candidate>>> heads = heads(page.keySet(), lanes, most);
            groups.clear();
            page.forEach((id, keys) -> groups.add(new Group<>(id, keys, heads.getOrDefault(id, List.of()))));
            List<Pick<Candidate>> found = Allotment.picks(groups, rooms, limit);
            Map<Long, Long> taken = found.stream()
                    .collect(Collectors.groupingBy(pick -> pick.group().id(), Collectors.counting()));
            boolean more = most < limit && found.size() < limit
                    && taken.values().stream().anyMatch(count -> count >= most);
            if (!more) {
                return found;
            }
            each = limit;
        }
    }

    private Map<Long, List<Waiting<Candidate>>> heads(Set<Long> ids, List<Lanes.Open> lanes, int most)
            throws SQLException {
        Map<Long, Lanes.Open> byId = lanes.stream()
                .collect(Collectors.toMap(Lanes.Open::id, Function.identity(), (one, _) -> one));
        boolean tagged = lanes.stream().anyMatch(lane -> !lane.wanted().excludedTags().isEmpty());
        int read = tagged ? Math.max(most, Wanted.MAX_SCANNED / Math.max(1, ids.size())) : most;
        Map<Long, List<Candidate>> found = new HashMap<>();
        try (ResultSet rows = tx.query(tx.dialect().firstOfGroups(), new SeqList(ids), new SeqList(byId.keySet()),
                read)) {
            while (rows.next()) {
                Lanes.Open lane = byId.get(rows.getLong(4));
                if (lane != null) {
                    found.computeIfAbsent(rows.getLong(1), _ -> new ArrayList<>())
                            .add(new Candidate(rows.getLong(2), rows.getInt(3), lane,
                                    Suspicions.read(rows.getString(5), lane.wanted().suspect()).isCapped()));
                }
            }
        }
        Set<Long> held = tagged ? withExcludedTags(found.values().stream().flatMap(List::stream).toList()) : Set.of();
        Map<Long, List<Waiting<Candidate>>> heads = new HashMap<>();
        readWhole.clear();
        found.forEach((id, candidates) -> heads.put(id, candidates.stream()
                .filter(candidate -> !held.contains(candidate.seq()))
                .sorted(ClaimCandidates.CLAIM_ORDER).limit(most)
                .map(one -> new Waiting<>(one.priority(), one.isCapped(), one)).toList()));
        ids.stream().filter(id -> found.getOrDefault(id, List.of()).size() < read).forEach(readWhole::add);
        return heads;
    }

    private Set<Long> withExcludedTags(List<Candidate> candidates) throws SQLException {
        Set<Long> held = new HashSet<>();
        Map<Long, Candidate> bySeq = candidates.stream().collect(Collectors.toMap(Candidate::seq, one -> one));
        try (ResultSet rows = tx.query("SELECT seq, tags FROM heddle.job WHERE tags IS NOT NULL AND seq"
                + tx.dialect().anyOf(), new SeqList(bySeq.keySet()))) {
            while (rows.next()) {
                Candidate candidate = bySeq.get(rows.getLong(1));
                if (candidate != null && !Collections.disjoint(Json.readSet(rows.getString(2)),
                        candidate.lane().wanted().excludedTags())) {
                    held.add(candidate.seq());
                }
            }
        }
        return held;
    }

    /** Returns whether any job with limits could start. */
    public boolean hasPicks() {
        return !picks.isEmpty();
    }

    /** Returns whether a claim should read another page of groups, because it has fewer jobs than were requested. */
    public static boolean goesOn(Tx tx, ClaimRequest request, List<Claim> claims, LimitClaims page)
            throws SQLException {
        boolean ended = claims.stream().anyMatch(claim -> claim.suspicion().isCapped());
        return claims.size() < request.limit() && !ended
                && ((!page.isLastPage && page.closedAny) || LimitEvents.pending(tx));
    }

    /**
     * Merges the jobs that could start with those that have no limits: by priority, and among equal priorities the
     * oldest first, as far as the turns of the groups allow.
     *
     * @param plain jobs without limits, in claiming order
     */
    public List<Candidate> merge(List<Candidate> plain) {
        List<Candidate> chosen = new ArrayList<>();
        Map<Wanted, Integer> taken = new HashMap<>();
        int next = 0;
        int nextPick = 0;
        while (chosen.size() < limit && (next < plain.size() || nextPick < picks.size())) {
            boolean pick = nextPick < picks.size() && (next == plain.size()
                    || ClaimCandidates.CLAIM_ORDER.compare(picks.get(nextPick).job(), plain.get(next)) < 0);
            Candidate candidate = pick ? picks.get(nextPick++).job() : plain.get(next++);
            Wanted wanted = candidate.lane().wanted();
            if (taken.merge(wanted, 1, Integer::sum) <= wanted.limit()) {
                chosen.add(candidate);
                if (candidate.isCapped()) {
                    return chosen;
                }
            }
        }
        return chosen;
    }

    /** Notes what was claimed, and closes the groups that have no more room. Call this even if nothing was claimed. */
    public void claimed(List<Claim> claims) throws SQLException {
        Map<Long, Integer> attempts = claims.stream()
                .collect(Collectors.toMap(claim -> claim.job().seq(), claim -> claim.job().counts().attempt()));
        List<Pick<Candidate>> started = picks.stream().filter(pick -> attempts.containsKey(pick.job().seq())).toList();
        boolean rated = started.stream().flatMap(pick -> pick.group().keys().stream())
                .anyMatch(key -> LimitRows.rate(rules, key) != null);
        Long now = rated ? LimitRows.nanos(tx.now()) : null;
        addSlots(started, attempts, now);
        if (now != null) {
            takeRates(started, now);
        }
        Map<Group<Candidate>, LimitKey> full = Allotment.full(groups, rooms,
                started.stream().map(Pick::group).toList());
        close(full);
        Set<Long> gone = deleteEmpty(started, full.keySet());
        moveTurns(started, gone);
    }

    private void addSlots(List<Pick<Candidate>> started, Map<Long, Integer> attempts, @Nullable Long now)
            throws SQLException {
        record Slot(long key, long seq, int attempt) {}
        List<Slot> slots = new ArrayList<>();
        for (Pick<Candidate> pick : started) {
            long seq = pick.job().seq();
            for (long key : LimitRows.ids(pick.group().keys())) {
                slots.add(new Slot(key, seq, attempts.getOrDefault(seq, 0)));
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
                Rate rate = LimitRows.rate(rules, key);
                if (rate != null) {
                    states = states == null ? LimitRows.rateStates(tx, new SeqList(rooms.keySet())) : states;
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
        closedAny = !byKey.isEmpty();
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
            Limit rule = rules.find(key.limit());
            if (rule != null && rule.maxConcurrent() != null) {
                most.put(LimitIds.key(key), rule.maxConcurrent());
            }
        }
        if (most.isEmpty()) {
            return new HashSet<>();
        }
        SeqList keys = new SeqList(most.keySet());
        String slots = " FROM heddle.limit_slot s JOIN " + LimitRows.HELD + "\nWHERE s.limit_key"
                + tx.dialect().anyOf();
        String marked = "' ' || l.frees || ' ' LIKE '% ' || s.limit_key || ' %'";
        Map<Long, String> marks = new HashMap<>();
        try (ResultSet rows = tx.query("SELECT s.limit_key, l.seq, l.frees" + slots + " AND (l.frees IS NULL OR NOT "
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
        try (ResultSet rows = tx.query("SELECT s.limit_key, count(*)" + slots + " AND " + marked
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
            Rate rate = LimitRows.rate(rules, key);
            if (rate != null) {
                states = states == null ? LimitRows.rateStates(tx, new SeqList(rooms.keySet())) : states;
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
    private void moveTurns(List<Pick<Candidate>> started, Set<Long> gone) throws SQLException {
        Set<Long> moved = Stream.concat(started.stream().map(Pick::group),
                groups.stream().filter(group -> group.jobs().isEmpty())).map(Group::id).filter(id -> !gone.contains(id))
                .collect(Collectors.toSet());
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
    private Set<Long> deleteEmpty(List<Pick<Candidate>> started, Set<Group<Candidate>> full) throws SQLException {
        Map<Long, Long> taken = started.stream()
                .collect(Collectors.groupingBy(pick -> pick.group().id(), Collectors.counting()));
        List<Group<Candidate>> empty = groups.stream().filter(group -> readWhole.contains(group.id())
                && taken.getOrDefault(group.id(), 0L) == group.jobs().size()).toList();
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
