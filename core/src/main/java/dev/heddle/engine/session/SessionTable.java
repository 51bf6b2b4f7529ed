package dev.heddle.engine.session;

import java.time.Duration;
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

import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.env.Environment;
import dev.heddle.job.Affinity;
import dev.heddle.job.Job;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.BindRequest;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.SessionStore.Parking;
import dev.heddle.store.SessionStore.Release;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of this node's workers. The store knows the sessions of all nodes; this table caches those of this
 * node, so only the first job of a session asks the store.
 */
public final class SessionTable {

    /** How long a session may go without a job. */
    static final Duration IDLE = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(SessionTable.class);

    private final SessionStore store;
    private final HandlerRegistry registry;
    private final Environment env;
    private final Supplier<String> node;
    private final Map<Key, LocalSession> sessions = new ConcurrentHashMap<>();
    /** The number of running jobs per session. */
    private final Map<Key, Integer> running = new ConcurrentHashMap<>();
    /** Lost workers whose sessions are not yet released in the store. */
    private final Set<String> lostWorkers = ConcurrentHashMap.newKeySet();
    /** Sessions of this node that were ended elsewhere. */
    private final Queue<Binding> ended = new ConcurrentLinkedQueue<>();
    /** Sessions that were looked up in an earlier generation may have changed since. */
    private final AtomicLong generation = new AtomicLong();

    private record Key(String type, String session) {}

    /**
     * A session of a worker of this node.
     *
     * @param uses how often it was used since it was bound
     * @param stored how many of these uses the store knows of
     * @param generation in which it was looked up
     */
    private record LocalSession(Binding binding, long uses, long stored, long generation) {
        String worker() {
            return Objects.requireNonNullElse(binding.worker(), "");
        }

        boolean isOf(Binding other) {
            return binding.boundAt().equals(other.boundAt());
        }

        LocalSession used() {
            return new LocalSession(binding, uses + 1, stored, generation);
        }

        boolean wasUsed() {
            return uses > stored;
        }

        LocalSession stored(long storedUses) {
            return new LocalSession(binding, uses, storedUses, generation);
        }
    }

    /**
     * Creates an empty table.
     *
     * @param node supplies the id of this node, which changes when the node rejoins
     */
    public SessionTable(SessionStore store, HandlerRegistry registry, Environment env,
            Supplier<String> node) {
        this.store = store;
        this.registry = registry;
        this.env = env;
        this.node = node;
    }

    /**
     * Returns how strictly the job is bound to its session's worker; empty if the job has no session or its type no
     * affinity.
     */
    Optional<Affinity> affinity(Job job) {
        Registration<?, ?> registration = registry.find(job.type());
        return registration == null || job.spec().session().isEmpty() ? Optional.empty()
                : registration.type().affinity();
    }

    /** Returns whether the job's deadline has passed. */
    boolean isOverdue(Claim claim) {
        Duration submitted = claim.submitted();
        return submitted != null
                && limit(claim.job()).filter(limit -> env.elapsed().compareTo(submitted.plus(limit)) >= 0).isPresent();
    }

    /** Returns the time from the job's submission to its deadline; empty if it has no session. */
    Optional<Duration> limit(Job job) {
        Registration<?, ?> registration = registry.find(job.type());
        return registration != null && SessionDeadline.appliesTo(job.spec(), registration.type())
                ? Optional.of(SessionDeadline.limit(job.spec(), registration.type())) : Optional.empty();
    }

    /**
     * Returns where claims go. {@link SessionPlacement} chooses the workers of new sessions. A claim has no route if
     * its session is new and no worker is eligible.
     */
    Map<Claim, SessionRoute> routes(List<Claim> claims, SessionCandidates candidates) {
        Set<String> here = candidates.here();
        SessionPlacement placement = new SessionPlacement(candidates.eligible(), candidates.idle(),
                () -> sessionCounts(candidates.eligible()));
        Map<Claim, SessionRoute> routes = new HashMap<>();
        Map<Claim, BindRequest> bids = new LinkedHashMap<>();
        Map<Key, String> chosen = new HashMap<>();
        for (Claim claim : claims) {
            Job job = claim.job();
            Optional<Affinity> affinity = affinity(job);
            if (affinity.isEmpty()) {
                routes.put(claim, new SessionRoute.Anywhere());
                continue;
            }
            Key key = key(job);
            LocalSession known = sessions.get(key);
            if (known != null && here.contains(known.worker())) {
                // Only if the session was not dropped meanwhile.
                touch(key);
                placement.occupy(known.worker());
                if (known.generation() == generation.get()) {
                    routes.put(claim, SessionRoute.of(known.binding(), job.seq(), here, true));
                    continue;
                }
                chosen.put(key, known.worker());
            }
            if (chosen.containsKey(key) || placement.isPossible()) {
                String worker = chosen.computeIfAbsent(key, _ -> placement.assign());
                bids.put(claim, new BindRequest(job.type(), key.session(), job.seq(), worker, node.get(),
                        affinity.get().isStrict()));
            }
        }
        bind(bids, routes, here);
        return routes;
    }

    /** Looks up each session again before its next use, because another node may have ended it. */
    public void invalidate() {
        generation.incrementAndGet();
    }

    /** Returns the sessions that were ended elsewhere, each once. */
    List<Binding> endedByOthers() {
        List<Binding> found = new ArrayList<>();
        for (Binding binding = ended.poll(); binding != null; binding = ended.poll()) {
            found.add(binding);
        }
        return found;
    }

    private void bind(Map<Claim, BindRequest> bids, Map<Claim, SessionRoute> routes, Set<String> here) {
        if (bids.isEmpty()) {
            return;
        }
        long askedIn = generation.get();
        List<Claim> order = new ArrayList<>(bids.keySet());
        List<Binding> bindings = store.bind(order.stream().map(bids::get).toList());
        for (int i = 0; i < order.size(); i++) {
            Binding binding = bindings.get(i);
            String worker = binding.worker();
            LocalSession before = sessions.get(key(binding));
            boolean same = before != null && before.isOf(binding);
            if (before != null && !same) {
                ended.add(before.binding());
            }
            if (worker != null && here.contains(worker)) {
                // A session that was bound before is used again.
                sessions.put(key(binding), new LocalSession(binding, same ? 1 : 0, 0, askedIn));
            } else {
                sessions.remove(key(binding));
                if (worker != null && binding.node().equals(node.get())) {
                    // The session was given to the worker just as the worker was lost.
                    workerLost(worker);
                }
            }
            routes.put(order.get(i), SessionRoute.of(binding, order.get(i).job().seq(), here, same));
        }
    }

    private static Key key(Job job) {
        return new Key(job.type(), job.spec().session().orElseThrow());
    }

    private static Key key(Binding binding) {
        return new Key(binding.type(), binding.session());
    }

    private Map<String, Integer> sessionCounts(Collection<String> workers) {
        Map<String, Integer> counts = new HashMap<>();
        sessions.values().stream().map(LocalSession::worker).filter(workers::contains)
                .forEach(worker -> counts.merge(worker, 1, Integer::sum));
        return counts;
    }

    /** Returns how many sessions a worker has. */
    int sessionCount(String worker) {
        return (int) sessions.values().stream().filter(session -> worker.equals(session.worker())).count();
    }

    /** Returns whether the worker has the job's session. */
    boolean has(Job job, String worker) {
        LocalSession known = sessions.get(key(job));
        return known != null && worker.equals(known.worker());
    }

    /** Returns whether a job with a session runs in the group, even if its session has ended. */
    boolean hasRunningJob(String group) {
        List<String> types = affinityTypes(group);
        return running.keySet().stream().anyMatch(key -> types.contains(key.type()));
    }

    /** Returns whether one of the workers has a session. */
    boolean hasAny(Set<String> workers) {
        return sessions.values().stream().anyMatch(session -> workers.contains(session.worker()));
    }

    /** Parks a job in the store until its worker's node has room for it. */
    void park(Claim claim, String worker) {
        store.park(List.of(new Parking(claim.fence(), claim.job().queue(), claim.job().type(), worker)));
    }

    /** Returns the types of a group whose jobs may have sessions. */
    List<String> affinityTypes(String group) {
        return registry.in(group).filter(type -> type.type().affinity().isPresent()).map(type -> type.type().name())
                .toList();
    }

    /** Ends the sessions of a worker that is gone. */
    void workerLost(String worker) {
        sessions.values().removeIf(session -> worker.equals(session.worker()));
        lostWorkers.add(worker);
        releaseLost();
    }

    /** Notes that a job starts to run. Its session is in use until the job has ended. */
    void jobStarted(Job job) {
        if (job.spec().session().isPresent()) {
            running.merge(key(job), 1, Integer::sum);
        }
    }

    /** Notes that the end of a job is committed. */
    void jobEnded(Job job) {
        if (job.spec().session().isPresent()) {
            touch(key(job));
            running.computeIfPresent(key(job), (_, jobs) -> jobs == 1 ? null : jobs - 1);
        }
    }

    private void touch(Key session) {
        sessions.computeIfPresent(session, (_, known) -> known.used());
    }

    /** Returns whether the type is idempotent. A claimed job that has not started runs again if its node dies. */
    boolean mayBeClaimedAhead(String type) {
        Registration<?, ?> registration = registry.find(type);
        return registration == null || registration.type().isIdempotent();
    }

    boolean anyMayBeClaimedAhead(String group) {
        return affinityTypes(group).stream().anyMatch(this::mayBeClaimedAhead);
    }

    /** Releases the sessions of lost workers in the store, or tries again with the next call if the store fails. */
    void releaseLost() {
        for (String worker : List.copyOf(lostWorkers)) {
            try {
                List<Binding> released = store.release(new Release.OfWorker(worker));
                lostWorkers.remove(worker);
                if (!released.isEmpty()) {
                    LOG.atWarn().addKeyValue("worker", worker).addKeyValue("sessions", released.size())
                            .log("Worker {} is gone; its {} sessions have ended", worker, released.size());
                }
            } catch (StoreException e) {
                LOG.warn("Could not release the sessions of worker {}; trying again: {}", worker, e.getMessage());
            }
        }
    }

    /** Ends idle sessions; returns those of this node. */
    List<Binding> sweep() {
        releaseLost();
        running.keySet().forEach(this::touch);
        List<LocalSession> used = sessions.values().stream().filter(LocalSession::wasUsed).toList();
        store.touch(used.stream().map(LocalSession::binding).toList());
        used.forEach(session -> sessions.computeIfPresent(key(session.binding()),
                (_, known) -> known.isOf(session.binding()) ? known.stored(session.uses()) : known));
        // A node that declared others dead may have lost the store, or died itself, before it ended their sessions.
        store.release(new Release.OfDeadNodes());
        List<Binding> idle = store.release(new Release.Idle(node.get(), IDLE));
        idle.forEach(binding -> sessions.remove(key(binding)));
        // Notifications may have been lost while the store was unreachable.
        invalidate();
        return idle;
    }

    /** Ends a session on request; returns what it was bound to. */
    public List<Binding> drop(String session) {
        List<Binding> dropped = store.release(new Release.OfSession(session));
        sessions.keySet().removeIf(key -> key.session().equals(session));
        // A lookup that is under way may still return the session.
        invalidate();
        return dropped;
    }
}
