package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import dev.heddle.job.Affinity;
import dev.heddle.job.Job;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.Bid;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.SessionStore.Parking;
import dev.heddle.store.SessionStore.Release;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of this node's workers have which sessions. The store knows it for all nodes; what it knows of this one is kept
 * here, so that only the first job of a session asks it.
 */
final class SessionDesk {

    /** How long a session may be without a job. */
    static final Duration IDLE = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(SessionDesk.class);

    private final SessionStore store;
    private final Registry registry;
    private final InstantSource clock;
    private final Supplier<String> node;
    private final Map<Key, Held> held = new ConcurrentHashMap<>();
    /** Sessions with jobs at work, and how many. */
    private final Map<Key, Integer> running = new ConcurrentHashMap<>();
    private final Set<String> unreleased = ConcurrentHashMap.newKeySet();
    /** Sessions of this node that somebody else has ended. */
    private final Queue<Binding> ended = new ConcurrentLinkedQueue<>();
    /** What was looked up in an earlier one may no longer be so. */
    private final AtomicLong round = new AtomicLong();

    private record Key(String type, String session) {}

    /**
     * A session of a worker of this node.
     *
     * @param round in which the store said so
     */
    private record Held(Binding binding, Instant usedAt, long round) {
        String worker() {
            return Objects.requireNonNullElse(binding.worker(), "");
        }

        Held used(Instant now) {
            return new Held(binding, now, round);
        }
    }

    SessionDesk(SessionStore store, Registry registry, InstantSource clock, Supplier<String> node) {
        this.store = store;
        this.registry = registry;
        this.clock = clock;
        this.node = node;
    }

    /** How firmly the job keeps to its session's worker; empty where it has no session, or its type no affinity. */
    Optional<Affinity> affinity(Job job) {
        Registration<?, ?> registration = registry.find(job.type());
        return registration == null || job.spec().session().isEmpty() ? Optional.empty()
                : registration.type().affinity();
    }

    /** Whether the job's time, for waiting and running together, is over. */
    boolean isOverdue(Job job) {
        return !clock.instant().isBefore(deadline(job));
    }

    /** When the job's time is over; never where it has no session. */
    Instant deadline(Job job) {
        Registration<?, ?> registration = registry.find(job.type());
        return registration != null && SessionDeadline.appliesTo(job.spec(), registration.type())
                ? SessionDeadline.of(job.spec(), registration.type())
                : Instant.MAX;
    }

    /**
     * Where claimed jobs go; nowhere yet where none could have a session that nobody has. Such sessions are given out by
     * {@link Allotment}.
     */
    Map<Claim, Route> routes(List<Claim> claims, Roster.Present present) {
        Set<String> here = present.here();
        Allotment allotment = new Allotment(present.crew(), present.idle(), () -> load(present.crew()));
        Map<Claim, Route> routes = new HashMap<>();
        Map<Claim, Bid> bids = new LinkedHashMap<>();
        Map<Key, String> chosen = new HashMap<>();
        for (Claim claim : claims) {
            Job job = claim.job();
            Optional<Affinity> affinity = affinity(job);
            if (affinity.isEmpty()) {
                routes.put(claim, new Route.Anywhere());
                continue;
            }
            Key key = key(job);
            Held known = held.get(key);
            if (known != null && here.contains(known.worker())) {
                // Only if nobody has dropped it meanwhile.
                use(key);
                allotment.occupy(known.worker());
                if (known.round() == round.get()) {
                    routes.put(claim, Route.of(known.binding(), job.seq(), here, true));
                    continue;
                }
                chosen.put(key, known.worker());
            }
            if (chosen.containsKey(key) || allotment.isPossible()) {
                String bidder = chosen.computeIfAbsent(key, _ -> allotment.next());
                bids.put(claim, new Bid(job.type(), key.session(), job.seq(), bidder, node.get(),
                        affinity.get().isStrict()));
            }
        }
        settle(bids, routes, here);
        return routes;
    }

    /** Another node may have ended sessions of this one: each is looked up anew when it is used next. */
    void doubt() {
        round.incrementAndGet();
    }

    /** Sessions of this node that others were found to have ended. */
    List<Binding> endedByOthers() {
        List<Binding> found = new ArrayList<>();
        for (Binding binding = ended.poll(); binding != null; binding = ended.poll()) {
            found.add(binding);
        }
        return found;
    }

    private void settle(Map<Claim, Bid> bids, Map<Claim, Route> routes, Set<String> here) {
        if (bids.isEmpty()) {
            return;
        }
        long asked = round.get();
        List<Claim> order = new ArrayList<>(bids.keySet());
        List<Binding> bindings = store.bind(order.stream().map(bids::get).toList(), clock.instant());
        for (int i = 0; i < order.size(); i++) {
            Binding binding = bindings.get(i);
            String worker = binding.worker();
            Held before = held.get(key(binding));
            boolean same = before != null && before.binding().boundAt().equals(binding.boundAt());
            if (before != null && !same) {
                ended.add(before.binding());
            }
            if (worker != null && here.contains(worker)) {
                held.put(key(binding), new Held(binding, clock.instant(), asked));
            } else {
                held.remove(key(binding));
                if (worker != null && binding.node().equals(node.get())) {
                    // It was given to a worker in the moment when that was lost.
                    lost(worker);
                }
            }
            routes.put(order.get(i), Route.of(binding, order.get(i).job().seq(), here, same));
        }
    }

    private static Key key(Job job) {
        return new Key(job.type(), job.spec().session().orElseThrow());
    }

    private static Key key(Binding binding) {
        return new Key(binding.type(), binding.session());
    }

    private Map<String, Integer> load(Collection<String> crew) {
        Map<String, Integer> load = new HashMap<>();
        held.values().stream().map(Held::worker).filter(crew::contains)
                .forEach(worker -> load.merge(worker, 1, Integer::sum));
        return load;
    }

    /** How many sessions a worker has. */
    int count(String worker) {
        return (int) held.values().stream().filter(session -> worker.equals(session.worker())).count();
    }

    /** Whether the job's session is that worker's. */
    boolean has(Job job, String worker) {
        Held known = held.get(key(job));
        return known != null && worker.equals(known.worker());
    }

    /** Whether a job of a session runs in the group, be the session over or not. */
    boolean isAtWork(String group) {
        List<String> types = types(group);
        return running.keySet().stream().anyMatch(key -> types.contains(key.type()));
    }

    boolean hasAny(Set<String> workers) {
        return held.values().stream().anyMatch(session -> workers.contains(session.worker()));
    }

    /** Lets a job wait in the store until its worker's node has room for it. */
    void park(Claim claim, String worker) {
        store.park(List.of(new Parking(claim.fence(), claim.job().queue(), claim.job().type(), worker)));
    }

    /** The types of a group whose jobs may be parked. */
    List<String> types(String group) {
        return registry.in(group).filter(type -> type.type().affinity().isPresent())
                .map(type -> type.type().name())
                .toList();
    }

    /** The worker is gone, and its sessions with it. */
    void lost(String worker) {
        held.values().removeIf(session -> worker.equals(session.worker()));
        unreleased.add(worker);
        releaseLost();
    }

    /** A job of a session is about to run: the session is in use until it has ended. */
    void began(Job job) {
        if (job.spec().session().isPresent()) {
            running.merge(key(job), 1, Integer::sum);
        }
    }

    /** The job has ended, and that is committed. */
    void ended(Job job) {
        if (job.spec().session().isPresent()) {
            use(key(job));
            running.computeIfPresent(key(job), (_, jobs) -> jobs == 1 ? null : jobs - 1);
        }
    }

    private void use(Key session) {
        held.computeIfPresent(session, (_, known) -> known.used(clock.instant()));
    }

    /** What is claimed and not started is lost with its node, and must be harmless to repeat. */
    boolean mayBeClaimedAhead(String type) {
        Registration<?, ?> registration = registry.find(type);
        return registration == null || registration.type().isIdempotent();
    }

    boolean anyMayBeClaimedAhead(String group) {
        return types(group).stream().anyMatch(this::mayBeClaimedAhead);
    }

    /** Told to the store as soon as that can hear it. */
    void releaseLost() {
        for (String worker : Set.copyOf(unreleased)) {
            try {
                List<Binding> gone = store.release(new Release.OfWorker(worker), clock.instant());
                unreleased.remove(worker);
                if (!gone.isEmpty()) {
                    LOG.atWarn().addKeyValue("worker", worker).addKeyValue("sessions", gone.size())
                            .log("Worker {} is gone, and {} sessions with it", worker, gone.size());
                }
            } catch (StoreException e) {
                LOG.warn("The sessions of worker {} are not released yet: {}", worker, e.getMessage());
            }
        }
    }

    /** Ends what was idle for too long; says which sessions of this node those were. */
    List<Binding> sweep() {
        releaseLost();
        running.keySet().forEach(this::use);
        Instant now = clock.instant();
        List<Held> used = held.values().stream()
                .filter(session -> session.usedAt().isAfter(session.binding().usedAt())).toList();
        store.touch(used.stream().map(Held::binding).toList(), now);
        used.forEach(session -> held.computeIfPresent(key(session.binding()),
                (_, known) -> new Held(known.binding().usedAt(now), known.usedAt(), known.round())));
        List<Binding> idle = store.release(new Release.Idle(node.get(), now.minus(IDLE)), now);
        idle.forEach(binding -> held.remove(key(binding)));
        // A store that could not be heard may have had something to say.
        doubt();
        return idle;
    }

    /** A session was ended by somebody. */
    List<Binding> drop(String session) {
        List<Binding> dropped = store.release(new Release.One(session), clock.instant());
        held.keySet().removeIf(key -> key.session().equals(session));
        // Whoever is just being told of it by the store has an answer from before.
        doubt();
        return dropped;
    }
}
