package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
import dev.heddle.limit.LimitIds;
import dev.heddle.limit.LimitRules;
import dev.heddle.sql.ClaimCandidates.Candidate;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.SessionStore;

/**
 * What a claim reads of the jobs with limits: the first of those that enter, the first open groups, and the room of
 * their keys, which it locks. Turns of groups and numbers of jobs have one order, so that neither kind starves the
 * other.
 */
final class LimitPage {

    private static final int EXTRA_GROUPS = 64;
    private static final int EXTRA_ENTERING = 16;
    /** How many more entering jobs to read if several of one group are among the first. */
    private static final int MORE_ENTERING = 1_000;
    private static final int MAX_TERMS = 200;

    private final Tx tx;
    private final int limit;
    private final List<Lanes.Open> lanes;
    private final List<Group<Candidate>> groups = new ArrayList<>();
    /** The groups that have rows. */
    private final Set<Long> stored = new HashSet<>();
    /** Groups of which all jobs that have joined them were read. */
    private final Set<Long> readWhole = new HashSet<>();
    private final Set<Long> rowTakesSlot = new HashSet<>();
    private final LimitRules rules;
    private final Map<Long, Room> rooms;
    private final List<Pick<Candidate>> picks;
    private final boolean isLast;

    /** The place of a group in the line. */
    private record Place(long id, int priority, long turn, List<LimitKey> keys) {

        static final Comparator<Place> ORDER = Comparator.comparingInt((Place place) -> -place.priority)
                .thenComparingLong(Place::turn).thenComparingLong(Place::id);

        Place first(Place other) {
            return ORDER.compare(this, other) <= 0 ? this : other;
        }
    }

    /** A job that enters, and its group. */
    private record Entering(Candidate job, long group, List<LimitKey> keys) {

        Place place() {
            return new Place(group, job.priority(), job.seq(), keys);
        }
    }

    /**
     * Reads a page.
     *
     * @param lanes the lanes for jobs with limits that are wanted and not paused
     */
    LimitPage(Tx tx, List<Lanes.Open> lanes, int limit) throws SQLException {
        this.tx = tx;
        this.limit = limit;
        this.lanes = lanes;
        List<Entering> entering = entering();
        List<Place> open = open(places(Lanes.ofKind(Lanes.Kind.GROUPED, lanes)), limit + EXTRA_GROUPS);
        this.isLast = open.size() < limit + EXTRA_GROUPS;
        if (entering.size() > limit) {
            Place last = entering.getLast().place();
            open.removeIf(place -> Place.ORDER.compare(place, last) > 0);
        }
        open.forEach(place -> stored.add(place.id));
        Map<Long, Place> places = new HashMap<>();
        Stream.concat(open.stream(), entering.stream().map(Entering::place))
                .forEach(place -> places.merge(place.id, place, Place::first));
        List<Place> page = places.values().stream().sorted(Place.ORDER).toList();
        List<LimitKey> keys = page.stream().flatMap(place -> place.keys.stream()).distinct().toList();
        tx.dialect().lockKeys(tx, new SeqList(LimitRows.ids(keys)));
        this.rules = LimitRows.rules(tx);
        this.rooms = page.isEmpty() ? Map.of() : LimitRows.rooms(tx, keys, rules);
        this.picks = page.isEmpty() ? List.of()
                : pick(page, entering.stream().collect(Collectors.groupingBy(Entering::group,
                        Collectors.mapping(Entering::job, Collectors.toList()))));
    }

    List<Group<Candidate>> groups() {
        return groups;
    }

    LimitRules rules() {
        return rules;
    }

    Map<Long, Room> rooms() {
        return rooms;
    }

    /** Returns the jobs that could start. */
    List<Pick<Candidate>> picks() {
        return picks;
    }

    boolean isStored(Group<Candidate> group) {
        return stored.contains(group.id());
    }

    /** Returns whether all jobs that have joined a group were read. */
    boolean isWhole(Group<Candidate> group) {
        return readWhole.contains(group.id());
    }

    /** Returns whether the row of a job takes the slot of its first key, so that no other row has to. */
    boolean rowTakesSlot(Candidate job) {
        return rowTakesSlot.contains(job.seq());
    }

    /** Returns whether there are no more open groups. */
    boolean isLast() {
        return isLast;
    }

    static List<Long> places(List<Lanes.Open> lanes) {
        return lanes.stream().map(LimitPage::place).distinct().toList();
    }

    static long place(Lanes.Open lane) {
        return LimitIds.place(lane.queue(), SessionStore.plainType(lane.wanted().type()));
    }

    private List<Entering> entering() throws SQLException {
        List<Lanes.Open> from = Lanes.ofKind(Lanes.Kind.ENTERING, lanes);
        if (from.isEmpty()) {
            return List.of();
        }
        int most = limit + EXTRA_ENTERING;
        List<Entering> first = withGroups(ClaimCandidates.choose(tx, from, most));
        boolean alike = first.stream().map(Entering::group).distinct().count() < first.size();
        return alike && first.size() == most ? withGroups(ClaimCandidates.choose(tx, from, limit + MORE_ENTERING))
                : first;
    }

    private List<Entering> withGroups(List<Candidate> jobs) throws SQLException {
        Map<Long, Candidate> bySeq = jobs.stream().collect(Collectors.toMap(Candidate::seq, job -> job));
        Map<Long, Entering> found = new HashMap<>();
        if (!jobs.isEmpty()) {
            try (ResultSet rows = tx.query("SELECT seq, limit_group, limits FROM heddle.job WHERE seq"
                    + tx.dialect().anyOf(), new SeqList(bySeq.keySet()))) {
                while (rows.next()) {
                    Candidate job = bySeq.get(rows.getLong(1));
                    if (job != null) {
                        found.put(job.seq(), new Entering(job, rows.getLong(2), Json.readLimits(rows.getString(3))));
                    }
                }
            }
        }
        rowTakesSlot.addAll(found.keySet());
        return jobs.stream().flatMap(job -> Stream.ofNullable(found.get(job.seq()))).toList();
    }

    private List<Place> open(List<Long> of, int most) throws SQLException {
        List<Place> found = new ArrayList<>();
        for (int from = 0; from < of.size(); from += MAX_TERMS) {
            List<Object> parameters = new ArrayList<>();
            List<Long> some = of.subList(from, Math.min(from + MAX_TERMS, of.size()));
            for (long place : some) {
                parameters.addAll(List.of(place, most));
            }
            String sql = String.join("\nUNION ALL ", Collections.nCopies(some.size(), """
                    SELECT * FROM (SELECT id, priority, turn, limits FROM heddle.limit_group
                    WHERE closed_by IS NULL AND place = ? ORDER BY priority DESC, turn LIMIT ?) one"""));
            try (ResultSet rows = tx.query(sql, parameters.toArray())) {
                while (rows.next()) {
                    found.add(new Place(rows.getLong(1), rows.getInt(2), rows.getLong(3),
                            Json.readLimits(rows.getString(4))));
                }
            }
        }
        return found.stream().sorted(Place.ORDER).limit(most).collect(Collectors.toCollection(ArrayList::new));
    }

    /** Reads a few jobs of each group, and more if those are not enough. */
    private List<Pick<Candidate>> pick(List<Place> page, Map<Long, List<Candidate>> entering) throws SQLException {
        int each = Math.ceilDiv(limit, page.size()) + 1;
        while (true) {
            int most = Math.min(limit, each);
            Map<Long, List<Waiting<Candidate>>> heads = heads(page.stream().map(Place::id).toList(), entering, most);
            groups.clear();
            page.forEach(place -> groups
                    .add(new Group<>(place.id, place.keys, heads.getOrDefault(place.id, List.of()))));
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

    private Map<Long, List<Waiting<Candidate>>> heads(Collection<Long> ids, Map<Long, List<Candidate>> entering,
            int most) throws SQLException {
        Map<Long, Lanes.Open> grouped = Lanes.ofKind(Lanes.Kind.GROUPED, lanes).stream()
                .collect(Collectors.toMap(Lanes.Open::id, Function.identity(), (one, _) -> one));
        boolean tagged = grouped.values().stream().anyMatch(lane -> !lane.wanted().excludedTags().isEmpty());
        int read = tagged ? Math.max(most, Wanted.MAX_SCANNED / Math.max(1, ids.size())) : most;
        Map<Long, List<Candidate>> joined = grouped.isEmpty() ? Map.of() : joined(ids, grouped, read);
        Set<Long> held = tagged ? withExcludedTags(joined.values().stream().flatMap(List::stream).toList()) : Set.of();
        Map<Long, List<Waiting<Candidate>>> heads = new HashMap<>();
        readWhole.clear();
        for (long id : ids) {
            List<Candidate> found = joined.getOrDefault(id, List.of());
            if (found.size() < read) {
                readWhole.add(id);
            }
            heads.put(id, Stream.concat(
                    found.stream().filter(one -> !held.contains(one.seq())).sorted(ClaimCandidates.CLAIM_ORDER)
                            .limit(most),
                    entering.getOrDefault(id, List.of()).stream()).sorted(ClaimCandidates.CLAIM_ORDER)
                    .map(one -> new Waiting<>(one.priority(), one.isCapped(), one)).toList());
        }
        return heads;
    }

    private Map<Long, List<Candidate>> joined(Collection<Long> ids, Map<Long, Lanes.Open> grouped, int read)
            throws SQLException {
        Map<Long, List<Candidate>> found = new LinkedHashMap<>();
        try (ResultSet rows = tx.query(tx.dialect().firstOfGroups(), new SeqList(ids), new SeqList(grouped.keySet()),
                read)) {
            while (rows.next()) {
                Lanes.Open lane = grouped.get(rows.getLong(4));
                if (lane != null) {
                    found.computeIfAbsent(rows.getLong(1), _ -> new ArrayList<>())
                            .add(new Candidate(rows.getLong(2), rows.getInt(3), lane,
                                    Suspicions.read(rows.getString(5), lane.wanted().suspect()).isCapped()));
                    if (Rows.number(rows, 6) != null) {
                        rowTakesSlot.add(rows.getLong(2));
                    }
                }
            }
        }
        return found;
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
}
