package dev.heddle.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.dedupe.SubmissionPlan.KeyName;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.limit.Allotment.Pick;
import dev.heddle.query.JobFacts;
import dev.heddle.stats.CountStore;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NewJob;
import dev.heddle.store.SessionStore;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a {@link MemoryStore}, and the sorted sets that index them. A row is in the indexes that its state calls
 * for. {@link #change} removes it from them, changes it, and adds it again, so no index ever holds a row under an
 * outdated key.
 */
final class MemoryTable {

    private static final Comparator<MemoryRow> BY_SEQ = Comparator.comparingLong(row -> row.seq);
    private static final Comparator<MemoryRow> BY_PRIORITY = Comparator
            .<MemoryRow>comparingInt(row -> row.spec.priority()).reversed().thenComparing(BY_SEQ);
    private static final Comparator<MemoryRow> BY_DUE = Comparator.comparing((MemoryRow row) -> known(row.dueAt))
            .thenComparing(BY_SEQ);
    private static final Comparator<MemoryRow> BY_END = Comparator.comparing((MemoryRow row) -> known(row.endedAt))
            .thenComparing(BY_SEQ);

    private record Kind(String type, boolean suspect) {}

    private record Group(String queue, String type, JobState state) {}

    /** The QUEUED jobs of one kind in one queue, in the order in which they run. */
    private record Lane(Kind kind, NavigableSet<MemoryRow> rows) {

        /** Returns the first row, or the first after another row, that has none of these tags. */
        Optional<Head> head(@Nullable MemoryRow after, Set<String> excludedTags) {
            NavigableSet<MemoryRow> rest = after == null ? rows : rows.tailSet(after, false);
            return rest.stream().filter(row -> Collections.disjoint(row.spec.tags(), excludedTags)).findFirst()
                    .map(row -> new Head(this, row));
        }
    }

    /** The next row of a lane. */
    private record Head(Lane lane, MemoryRow row) {}

    final NavigableSet<MemoryRow> scheduled = new TreeSet<>(BY_DUE);
    final NavigableSet<MemoryRow> waiting = new TreeSet<>(BY_SEQ);
    /** Jobs that a node holds, cancelled or not. */
    final NavigableSet<MemoryRow> held = new TreeSet<>(BY_SEQ);
    final NavigableSet<MemoryRow> dead = new TreeSet<>(BY_SEQ);
    /** Completed and cancelled jobs, in the order of their ends. */
    final NavigableSet<MemoryRow> ended = new TreeSet<>(BY_END);
    /** Ended jobs that have a checkpoint or steps. */
    final NavigableSet<MemoryRow> endedWithSaved = new TreeSet<>(BY_END);
    final Set<String> pausedQueues = new HashSet<>();
    final MemoryChildren children = new MemoryChildren();
    final MemoryLimits limits = new MemoryLimits();
    final MemoryKeys keys = new MemoryKeys();

    private final Map<JobId, MemoryRow> byId = new HashMap<>();
    private final TreeMap<Long, MemoryRow> bySeq = new TreeMap<>();
    private final Map<Kind, Map<String, Lane>> lanes = new HashMap<>();
    private final Map<Group, Long> counts = new HashMap<>();
    private final Map<String, Integer> queued = new HashMap<>();
    private long lastSeq;
    private boolean successorReleased;
    private Instant now = Instant.EPOCH;

    MemoryRow add(NewJob job) {
        return add(job, null);
    }

    /** Adds a job that can be claimed once the older one has ended; null for at once. */
    MemoryRow add(NewJob job, @Nullable MemoryRow older) {
        MemoryRow row = new MemoryRow(++lastSeq, job,
                job.spec().parent().map(this::find).map(parent -> parent.seq).orElse(null), now);
        if (older != null) {
            row.behind = older;
            older.successor = row;
        }
        byId.put(row.spec.id(), row);
        bySeq.put(row.seq, row);
        children.add(row);
        addToIndexes(row);
        return row;
    }

    void remove(MemoryRow row) {
        removeFromIndexes(row);
        byId.remove(row.spec.id());
        bySeq.remove(row.seq);
        children.remove(row);
        row.ended = true;
        releaseSuccessor(row);
    }

    void change(MemoryRow row, Consumer<MemoryRow> edit) {
        removeFromIndexes(row);
        edit.accept(row);
        addToIndexes(row);
        if (row.ended) {
            releaseSuccessor(row);
        }
    }

    /** Gives the dedupe key of a job that has ended to its successor, which can be claimed from now on. */
    private void releaseSuccessor(MemoryRow row) {
        MemoryRow next = row.liveSuccessor();
        row.successor = null;
        if (next != null) {
            change(next, r -> r.behind = null);
            successorReleased = true;
        }
    }

    /** Returns whether a successor was released since the last call. */
    boolean takeReleased() {
        boolean taken = successorReleased;
        successorReleased = false;
        return taken;
    }

    /** Returns whether there is such a job and it has not ended. */
    boolean isLive(JobId id) {
        @Nullable MemoryRow row = find(id);
        return row != null && !row.ended;
    }

    @Nullable MemoryRow find(JobId id) {
        return byId.get(id);
    }

    @Nullable MemoryRow find(long seq) {
        return bySeq.get(seq);
    }

    /** Returns the job that exists already for a new one: with the same id, or a live one with the same dedupe key. */
    Optional<JobId> standIn(JobSpec spec) {
        return byId.containsKey(spec.id()) ? Optional.of(spec.id()) : keyHolder(spec).map(row -> {
            MemoryRow successor = row.liveSuccessor();
            return successor == null ? row.spec.id() : successor.spec.id();
        });
    }

    Optional<MemoryRow> keyHolder(JobSpec spec) {
        return Optional.ofNullable(KeyName.of(spec)).map(keys::holder);
    }

    int queued(String queue) {
        return queued.getOrDefault(queue, 0);
    }

    /** Returns the time of the transaction, by the clock of the store. */
    Instant now() {
        return now;
    }

    void setTime(Instant time) {
        now = time;
    }

    /** Moves the times from which something lasts; returns how many jobs wait for some time to pass. */
    int moveTimes(Duration by) {
        List<MemoryRow> rows = bySeq.values().stream().filter(row -> row.dueAt != null && row.isDueAfterSpan).toList();
        rows.forEach(row -> change(row, r -> r.dueAt = known(r.dueAt).plus(by)));
        bySeq.values().forEach(row -> row.moveSubmission(by));
        return rows.size();
    }

    /** Queues the jobs that are due; returns how many. */
    int promoteDue() {
        int promoted = 0;
        while (!scheduled.isEmpty() && !known(scheduled.first().dueAt).isAfter(now)) {
            change(scheduled.first(), row -> row.release(JobState.QUEUED));
            promoted++;
        }
        return promoted;
    }

    @Nullable Duration untilDue() {
        return Stream
                .concat(scheduled.stream().limit(1).map(row -> Duration.between(now, known(row.dueAt))),
                        Stream.ofNullable(limits.untilFree(now)))
                .min(Comparator.naturalOrder()).orElse(null);
    }

    /** Returns the QUEUED jobs of the queue and type of a job that are claimed before it. */
    Stream<MemoryRow> ahead(MemoryRow row) {
        String type = kind(row).type;
        Stream<MemoryRow> plain = Stream.of(true, false)
                .flatMap(suspect -> Stream
                        .ofNullable(lanes.getOrDefault(new Kind(type, suspect), Map.of()).get(row.spec.queue())))
                .flatMap(lane -> lane.rows.headSet(row, false).stream());
        return row.parkedFor == null ? Stream.concat(plain, limits.ahead(row)) : plain;
    }

    /** Merges the wanted lanes in order. Each step costs the logarithm of their number, never a scan. */
    List<MemoryRow> claim(ClaimRequest request) {
        Map<Kind, Integer> room = new HashMap<>();
        Map<Kind, Set<String>> excluded = new HashMap<>();
        for (ClaimRequest.Wanted wanted : request.wanted()) {
            Kind kind = new Kind(wanted.type(), wanted.suspect());
            room.merge(kind, wanted.limit(), Math::max);
            excluded.put(kind, wanted.excludedTags());
        }
        PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(Head::row, BY_PRIORITY));
        room.keySet().forEach(kind -> lanes.getOrDefault(kind, Map.of()).forEach((queue, lane) -> {
            if (!pausedQueues.contains(queue)) {
                lane.head(null, excluded.getOrDefault(kind, Set.of())).ifPresent(heads::add);
            }
        }));
        Predicate<MemoryRow> wanted = row -> room.getOrDefault(kind(row), 0) > 0
                && Collections.disjoint(row.spec.tags(), excluded.getOrDefault(kind(row), Set.of()));
        Set<String> types = room.keySet().stream().map(kind -> SessionStore.plainType(kind.type))
                .collect(Collectors.toSet());
        List<Pick<MemoryRow>> picks = limits.pick(
                row -> types.contains(row.spec.type()) && !pausedQueues.contains(row.spec.queue()), wanted,
                request.limit(), now);
        List<MemoryRow> claimed = claim(request, room, excluded, heads, new ArrayDeque<>(picks));
        limits.started(picks, new HashSet<>(claimed), now);
        return claimed;
    }

    private List<MemoryRow> claim(ClaimRequest request, Map<Kind, Integer> room, Map<Kind, Set<String>> excluded,
            PriorityQueue<Head> heads, Queue<Pick<MemoryRow>> picks) {
        List<MemoryRow> claimed = new ArrayList<>();
        while (claimed.size() < request.limit() && !(heads.isEmpty() && picks.isEmpty())) {
            Pick<MemoryRow> pick = picks.peek();
            if (pick != null && (heads.isEmpty() || BY_PRIORITY.compare(pick.job(), heads.element().row) < 0)) {
                picks.remove();
                if (room.merge(kind(pick.job()), -1, Integer::sum) >= 0) {
                    change(pick.job(), r -> assign(r, request));
                    claimed.add(pick.job());
                    if (pick.job().suspicion.isCapped()) {
                        return claimed;
                    }
                }
                continue;
            }
            Head head = heads.remove();
            Kind kind = head.lane.kind;
            int left = room.getOrDefault(kind, 0);
            if (left > 0) {
                change(head.row, r -> assign(r, request));
                claimed.add(head.row);
                if (head.row.suspicion.isCapped()) {
                    return claimed;
                }
                room.put(kind, left - 1);
                head.lane.head(head.row, excluded.getOrDefault(kind, Set.of())).ifPresent(heads::add);
            }
        }
        return claimed;
    }

    private static void assign(MemoryRow row, ClaimRequest request) {
        row.release(JobState.ASSIGNED);
        row.attempt++;
        row.node = request.node();
        row.assignedAt = MemoryRow.millis(request.now());
    }

    /** Returns the matching rows in the order of the query, without its limit. */
    Stream<MemoryRow> matching(JobQuery query) {
        NavigableMap<Long, MemoryRow> rows = query.before() == 0 ? bySeq : bySeq.headMap(query.before(), false);
        NavigableMap<Long, MemoryRow> ordered = query.after() == null ? rows.descendingMap()
                : rows.tailMap(query.after(), false);
        return ordered.values().stream().filter(row -> wants(query, row));
    }

    /** Returns the matching dead letters, newest first, ignoring the states of the query. */
    Stream<MemoryRow> matchingDead(JobQuery query) {
        JobQuery failed = query.states(JobState.FAILED);
        return dead.descendingSet().stream().filter(row -> query.before() == 0 || row.seq < query.before())
                .filter(row -> wants(failed, row));
    }

    /** Returns the dead letters with a fingerprint, newest first. */
    Stream<MemoryRow> deadLetters(String fingerprint, long before) {
        return dead.descendingSet().stream().filter(row -> before == 0 || row.seq < before)
                .filter(row -> fingerprint.equals(row.fingerprint));
    }

    /** Returns since when the jobs wait that are claimed next, by queue and type. */
    List<CountStore.Head> heads() {
        Map<Group, Instant> heads = new HashMap<>();
        lanes.values().forEach(byQueue -> byQueue.values().forEach(lane -> lane.head(null, Set.of()).map(Head::row)
                .ifPresent(row -> heads.merge(group(row), row.spec.createdAt(),
                        (one, other) -> one.isBefore(other) ? one : other))));
        return heads.entrySet().stream()
                .map(entry -> new CountStore.Head(entry.getKey().queue, entry.getKey().type, entry.getValue()))
                .toList();
    }

    private static boolean wants(JobQuery query, MemoryRow row) {
        if (query.conditions().isEmpty()) {
            return true;
        }
        JobFacts facts = row.facts();
        return query.conditions().stream().allMatch(facts::match);
    }

    JobCounts countJobs() {
        return new JobCounts(lines(counts).stream().filter(line -> !line.state().isFinal()).toList(), dead.size(),
                Set.copyOf(pausedQueues));
    }

    List<JobCounts.Line> keptCounts() {
        return lines(counts);
    }

    /** Counts the jobs by reading them all. */
    List<JobCounts.Line> countedJobs() {
        return lines(bySeq.values().stream()
                .collect(Collectors.groupingBy(MemoryTable::group, Collectors.counting())));
    }

    private static List<JobCounts.Line> lines(Map<Group, Long> counts) {
        return counts.entrySet().stream().map(entry -> new JobCounts.Line(entry.getKey().queue, entry.getKey().type,
                entry.getKey().state, entry.getValue())).toList();
    }

    private void addToIndexes(MemoryRow row) {
        index(row).ifPresent(index -> index.add(row));
        counts.merge(group(row), 1L, Long::sum);
        if (row.ended) {
            if (row.hasSaved()) {
                endedWithSaved.add(row);
            }
            return;
        }
        keys.add(row);
        children.addLive(row);
        limits.addLive(row);
        if (row.state == JobState.QUEUED) {
            queued.merge(row.spec.queue(), 1, Integer::sum);
            if (row.isLimited() && row.behind == null) {
                limits.addQueued(row);
            }
        } else if (row.node != null && row.isLimited()) {
            limits.addHeld(row);
        }
    }

    private void removeFromIndexes(MemoryRow row) {
        index(row).ifPresent(index -> index.remove(row));
        counts.computeIfPresent(group(row), (_, count) -> count == 1 ? null : count - 1);
        if (row.ended) {
            endedWithSaved.remove(row);
            return;
        }
        keys.remove(row);
        children.removeLive(row);
        limits.removeLive(row);
        if (row.state == JobState.QUEUED) {
            queued.computeIfPresent(row.spec.queue(), (_, count) -> count == 1 ? null : count - 1);
            if (row.behind != null) {
                return;
            }
            if (row.isLimited()) {
                limits.removeQueued(row);
            } else {
                dropLaneIfEmpty(row);
            }
        } else if (row.node != null && row.isLimited()) {
            limits.removeHeld(row);
        }
    }

    private Optional<NavigableSet<MemoryRow>> index(MemoryRow row) {
        return switch (row.state) {
            case QUEUED -> row.isLimited() || row.behind != null ? Optional.empty() : Optional.of(lane(row));
            case SCHEDULED -> Optional.of(scheduled);
            case ASSIGNED, RUNNING -> Optional.of(held);
            case PAUSED -> Optional.empty();
            case WAITING -> Optional.of(waiting);
            case COMPLETED -> Optional.of(ended);
            case FAILED -> Optional.of(dead);
            case CANCELLED -> Optional.of(row.ended ? ended : held);
        };
    }

    private static Kind kind(MemoryRow row) {
        String worker = row.parkedFor;
        return new Kind(worker == null ? row.spec.type() : SessionStore.parkedType(row.spec.type(), worker),
                row.suspicion.suspect());
    }

    /** Lets every node claim the jobs again that are parked for such workers. */
    void unpark(Predicate<String> workers) {
        for (MemoryRow row : List.copyOf(bySeq.values())) {
            String worker = row.parkedFor;
            if (worker != null && workers.test(worker)) {
                change(row, r -> r.parkedFor = null);
            }
        }
    }

    boolean hasLiveJobOf(String type, String session) {
        return bySeq.values().stream().anyMatch(
                row -> !row.ended && row.spec.type().equals(type) && session.equals(row.spec.extras().session()));
    }

    long lastSeq() {
        return lastSeq;
    }

    private NavigableSet<MemoryRow> lane(MemoryRow row) {
        Kind kind = kind(row);
        return lanes.computeIfAbsent(kind, _ -> new HashMap<>()).computeIfAbsent(row.spec.queue(),
                _ -> new Lane(kind, new TreeSet<>(BY_PRIORITY))).rows;
    }

    /** Empty lanes of queues that come and go, such as one per tenant, would slow down every claim. */
    private void dropLaneIfEmpty(MemoryRow row) {
        lanes.computeIfPresent(kind(row), (_, byQueue) -> {
            byQueue.computeIfPresent(row.spec.queue(), (_, lane) -> lane.rows.isEmpty() ? null : lane);
            return byQueue.isEmpty() ? null : byQueue;
        });
    }

    private static Group group(MemoryRow row) {
        return new Group(row.spec.queue(), row.spec.type(), row.state);
    }

    private static Instant known(@Nullable Instant time) {
        return Objects.requireNonNull(time, "a row in an index by time has that time");
    }
}
