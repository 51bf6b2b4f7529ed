package dev.heddle.engine.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.heddle.engine.dispatch.ParkedJobs;
import dev.heddle.job.Affinity;
import dev.heddle.job.Job;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.StoreException;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerEvent.Routed.Result;
import dev.heddle.worker.WorkerSnapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queues jobs with sessions for the workers that have their sessions. The first few jobs of a worker wait in memory.
 * The others are <em>parked</em> in the store, in a lane that belongs to their worker, so a session with many jobs
 * does not keep this node from claiming others.
 */
public final class SessionQueues implements ParkedJobs {

    /** How many claims may wait for one worker, and how many for any worker. */
    public static final int MAX_WAITING = 16;
    private static final Logger LOG = LoggerFactory.getLogger(SessionQueues.class);

    private final SessionWorkers group;
    private final WaitingClaims waiting;
    private final SessionTable table;
    /** Workers for which jobs may be parked in the store. */
    private final Set<String> mayHaveParked = ConcurrentHashMap.newKeySet();
    /** The number of jobs per worker that are on their way into the store. */
    private final Map<String, Integer> beingParked = new ConcurrentHashMap<>();

    /** Creates empty queues. */
    public SessionQueues(SessionWorkers group, WaitingClaims waiting, SessionTable table) {
        this.group = group;
        this.waiting = waiting;
        this.table = table;
    }

    /**
     * Routes claims to the workers that have their sessions.
     *
     * @param wasParked whether the claims were parked, and so come before all other jobs of their worker
     */
    public void offer(List<Claim> claims, boolean wasParked) {
        Map<Claim, SessionRoute> routes;
        try {
            routes = claims.isEmpty() ? Map.of() : table.routes(claims, waiting.candidates());
        } catch (StoreException e) {
            LOG.warn("Cannot look up the sessions of {} jobs; releasing the jobs: {}", claims.size(), e.getMessage());
            claims.forEach(claim -> group.release(claim, "its session could not be looked up"));
            return;
        }
        notifyWorkers(table.endedByOthers(), "dropped");
        for (Claim claim : claims) {
            SessionRoute route = routes.get(claim);
            if (table.isOverdue(claim)) {
                failOverdue(claim);
            } else if (route == null) {
                group.release(claim, "no worker is ready");
            } else {
                place(claim, route, wasParked);
            }
        }
    }

    private void place(Claim claim, SessionRoute route, boolean wasParked) {
        switch (route) {
            case SessionRoute.Anywhere _ -> waiting.add(List.of(claim));
            case SessionRoute.Lost(boolean dropped) -> group.fail(claim, SessionFailures.lost(claim.job(), dropped));
            case SessionRoute.Elsewhere(String worker) -> park(claim, worker);
            case SessionRoute.To(String worker, _) when waiting.find(worker) == null -> {
                // The worker was lost just now, and the session with it.
                table.workerLost(worker);
                group.release(claim, "its session's worker is gone");
            }
            case SessionRoute.To(String worker, boolean known) -> {
                Affinity affinity = table.affinity(claim.job()).orElse(Affinity.HINT);
                boolean waits = affinity == Affinity.STRICT_QUEUE && table.mayBeClaimedAhead(claim.job().type())
                        && (wasParked || !mayHaveParked.contains(worker));
                boolean placed = waiting.addFor(worker, claim, waits ? MAX_WAITING : 0);
                publish(claim.job(), worker, !known ? Result.NEW : placed ? Result.HIT : Result.MISS);
                if (!placed) {
                    switch (affinity) {
                        case HINT -> waiting.add(List.of(claim));
                        case STRICT_FAIL -> group.fail(claim, SessionFailures.busy(claim.job(), worker));
                        case STRICT_QUEUE -> park(claim, worker);
                    }
                } else if (!table.has(claim.job(), worker)) {
                    // The session was dropped just now, possibly before this claim was in the queue where the drop
                    // looks for it.
                    waiting.remove(claim.fence()).ifPresent(this::dropped);
                }
            }
        }
    }

    private void publish(Job job, String worker, Result result) {
        group.publish(new WorkerEvent.Routed(worker, group.name(), job.spec().session().orElse(""), result));
    }

    private void park(Claim claim, String worker) {
        String reason = "waits for worker " + worker + ", which has its session";
        try {
            table.park(claim, worker);
        } catch (StoreException e) {
            LOG.warn("Job {} could not be parked for worker {}: {}", claim.job().id(), worker, e.getMessage());
            group.release(claim, reason);
            return;
        }
        if (waiting.find(worker) == null) {
            group.release(claim, reason);
            return;
        }
        beingParked.merge(worker, 1, Integer::sum);
        mayHaveParked.add(worker);
        group.release(claim, reason, () -> {
            mayHaveParked.add(worker);
            beingParked.computeIfPresent(worker, (_, jobs) -> jobs == 1 ? null : jobs - 1);
        });
    }

    @Override
    public void mayBeParked() {
        mayHaveParked.addAll(waiting.waitingCounts().keySet());
    }

    @Override
    public void mayBeParked(List<Wanted> wanted) {
        wanted.forEach(one -> mayHaveParked.add(SessionStore.parkedWorker(one.type())));
    }

    /**
     * Returns what to claim, and assumes from now on that these workers have no parked jobs. So a job that is parked
     * during the claim is noticed.
     */
    @Override
    public List<Wanted> parkedJobs() {
        if (mayHaveParked.isEmpty()) {
            return List.of();
        }
        List<Wanted> wanted = new ArrayList<>();
        waiting.waitingCounts().forEach((worker, claims) -> {
            boolean free = claims == 0 && waiting.isAvailable(worker);
            if (claims <= MAX_WAITING / 2 && (free || table.anyMayBeClaimedAhead(group.name()))
                    && mayHaveParked.remove(worker)) {
                table.affinityTypes(group.name()).forEach(type -> {
                    int room = table.mayBeClaimedAhead(type) ? MAX_WAITING - claims : free ? 1 : 0;
                    if (room > 0) {
                        wanted.add(new Wanted(SessionStore.parkedType(type, worker), false, room));
                    } else {
                        mayHaveParked.add(worker);
                    }
                });
            }
        });
        return wanted;
    }

    @Override
    public List<Wanted> parkedSuspects() {
        List<String> types = table.affinityTypes(group.name());
        return waiting.waitingCounts().keySet().stream().flatMap(worker -> types.stream()
                .map(type -> new Wanted(SessionStore.parkedType(type, worker), true, 1))).toList();
    }

    @Override
    public void nothingParked(List<Wanted> wanted) {
        wanted.stream().map(one -> SessionStore.parkedWorker(one.type())).filter(beingParked::containsKey)
                .forEach(mayHaveParked::add);
    }

    /** Ends the sessions of a worker that is gone. */
    public void workerLost(String worker) {
        table.workerLost(worker);
        mayHaveParked.remove(worker);
    }

    /** Fails or releases a claim whose worker is gone. */
    public void orphaned(Claim claim) {
        sessionEnded(claim, false);
    }

    private void dropped(Claim claim) {
        sessionEnded(claim, true);
    }

    private void sessionEnded(Claim claim, boolean dropped) {
        if (table.affinity(claim.job()).filter(Affinity::isStrict).isPresent()) {
            group.fail(claim, SessionFailures.lost(claim.job(), dropped));
        } else {
            group.release(claim, dropped ? "its session was dropped" : "its session's worker is gone");
        }
    }

    /** Fails claims that have waited past their deadline. */
    void failOverdue() {
        waiting.remove(table::isOverdue).forEach(this::failOverdue);
    }

    private void failOverdue(Claim claim) {
        group.fail(claim, SessionFailures.overdue(claim.job(), table.limit(claim.job()).orElseThrow()));
    }

    /** Tells workers that these sessions were unused for too long. */
    void expired(List<Binding> idle) {
        notifyWorkers(idle, "expired");
    }

    /** Ends a session on request: tells its workers and removes its claims. */
    public void dropped(String session, List<Binding> bindings) {
        notifyWorkers(bindings, "dropped");
        Set<String> types = bindings.stream().map(Binding::type).collect(Collectors.toSet());
        waiting.remove(claim -> types.contains(claim.job().type()) && table.affinity(claim.job()).isPresent()
                && claim.job().spec().session().filter(session::equals).isPresent()).forEach(this::dropped);
    }

    /** Notes that a job starts to run. */
    public void jobStarted(Job job) {
        table.jobStarted(job);
    }

    /** Notes that the end of a job is committed. */
    public void jobEnded(Job job) {
        table.jobEnded(job);
    }

    /**
     * Returns whether there are sessions whose jobs may have to wait for their own worker, or must learn that it is
     * lost.
     */
    public boolean areInUse() {
        return table.hasAny(waiting.waitingCounts().keySet()) || table.hasRunningJob(group.name());
    }

    private void notifyWorkers(List<Binding> bindings, String reason) {
        for (Binding binding : bindings) {
            Worker worker = binding.worker() == null ? null : waiting.find(binding.worker());
            if (worker != null) {
                group.sessionEnded(worker, binding.session(), reason);
            }
        }
    }

    /** Returns how many sessions a worker has. */
    public int sessionCount(String worker) {
        return table.sessionCount(worker);
    }

    /** Adds the number of sessions to a snapshot. */
    public WorkerSnapshot describe(WorkerSnapshot worker) {
        return worker.with("sessions", Integer.toString(sessionCount(worker.id())));
    }
}
