package dev.heddle.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.heddle.job.Affinity;
import dev.heddle.job.Job;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Claimed.Claim;
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
 * The lines before the workers that have sessions. The first few jobs of a line wait in hand; the others are parked in the
 * store, in a lane of their worker's, so that a session with many jobs keeps nobody else's from being claimed.
 */
final class SessionLines {

    /** How many wait in hand for a worker, and how many for any. */
    static final int MOST_IN_HAND = 16;
    private static final Logger LOG = LoggerFactory.getLogger(SessionLines.class);

    private final WorkerGroup group;
    private final Roster roster;
    private final SessionDesk desk;
    private final WorkerGroup.News news;
    /** Workers for which there may be something in the store. */
    private final Set<String> parked = ConcurrentHashMap.newKeySet();
    /** How many jobs are on their way into the store for a worker. */
    private final Map<String, Integer> moving = new ConcurrentHashMap<>();

    SessionLines(WorkerGroup group, Roster roster, SessionDesk desk, WorkerGroup.News news) {
        this.group = group;
        this.roster = roster;
        this.desk = desk;
        this.news = news;
    }

    /**
     * Puts claims where they belong.
     *
     * @param fromTheStore whether they were parked, and so are the next in their lines
     */
    void offer(List<Claim> claims, boolean fromTheStore) {
        Map<Claim, Route> routes;
        try {
            routes = desk.routes(claims, roster.present());
        } catch (StoreException e) {
            LOG.warn("Who has the sessions of {} jobs is not known: {}", claims.size(), e.getMessage());
            claims.forEach(claim -> group.work().giveBack(claim, "who has its session is not known"));
            return;
        }
        ended(desk.endedByOthers(), "dropped");
        for (Claim claim : claims) {
            Route route = routes.get(claim);
            if (desk.isOverdue(claim.job())) {
                refuseOverdue(claim);
            } else if (route == null) {
                group.work().giveBack(claim, "no worker is ready");
            } else {
                place(claim, route, fromTheStore);
            }
        }
    }

    private void place(Claim claim, Route route, boolean fromTheStore) {
        switch (route) {
            case Route.Anywhere _ -> roster.keep(List.of(claim));
            case Route.Lost _ -> group.refuse(claim, SessionFailures.lost(claim.job()));
            case Route.Elsewhere(String worker) -> park(claim, worker);
            case Route.To(String worker, _) when roster.find(worker) == null -> {
                // It was lost in this moment; the session with it.
                desk.lost(worker);
                group.work().giveBack(claim, "its session's worker is gone");
            }
            case Route.To(String worker, boolean known) -> {
                Affinity affinity = desk.affinity(claim.job()).orElse(Affinity.HINT);
                boolean waits = affinity == Affinity.STRICT_QUEUE
                        && desk.mayBeClaimedAhead(claim.job().type())
                        && (fromTheStore || !parked.contains(worker));
                boolean placed = roster.keepFor(worker, claim, waits ? MOST_IN_HAND : 0);
                tell(claim.job(), worker, !known ? Result.NEW : placed ? Result.HIT : Result.MISS);
                if (!placed) {
                    switch (affinity) {
                        case HINT -> roster.keep(List.of(claim));
                        case STRICT_FAIL -> group.refuse(claim, SessionFailures.busy(claim.job(), worker));
                        case STRICT_QUEUE -> park(claim, worker);
                    }
                } else if (!desk.has(claim.job(), worker)) {
                    // Dropped in this moment: whoever did so may have looked for it in hand before it was there.
                    roster.withdraw(claim.fence()).ifPresent(this::orphaned);
                }
            }
        }
    }

    private void tell(Job job, String worker, Result result) {
        news.happened(
                new WorkerEvent.Routed(worker, group.name(), job.spec().session().orElse(""), result));
    }

    private void park(Claim claim, String worker) {
        String reason = "waits for worker " + worker + ", which has its session";
        try {
            desk.park(claim, worker);
        } catch (StoreException e) {
            LOG.warn("Job {} could not be kept for worker {}: {}", claim.job().id(), worker, e.getMessage());
            group.work().giveBack(claim, reason);
            return;
        }
        if (roster.find(worker) == null) {
            group.work().giveBack(claim, reason);
            return;
        }
        moving.merge(worker, 1, Integer::sum);
        parked.add(worker);
        group.work().giveBack(claim, reason, () -> {
            parked.add(worker);
            moving.computeIfPresent(worker, (_, jobs) -> jobs == 1 ? null : jobs - 1);
        });
    }

    /** Jobs that are parked for the workers here may have become claimable. */
    void mayBeParked() {
        parked.addAll(roster.waiting().keySet());
    }

    /** More was found than was asked for. */
    void mayBeParked(List<Wanted> wanted) {
        wanted.forEach(one -> parked.add(SessionStore.parkedWorker(one.type())));
    }

    /**
     * What may be parked for the workers here, as far as there is room for it. From now on they count as having none, so
     * that what is parked while the store is asked is not forgotten.
     */
    List<Wanted> parkedJobs() {
        if (parked.isEmpty()) {
            return List.of();
        }
        List<Wanted> wanted = new ArrayList<>();
        roster.waiting().forEach((worker, waiting) -> {
            boolean free = waiting == 0 && roster.isAvailable(worker);
            if (waiting <= MOST_IN_HAND / 2 && (free || desk.anyMayBeClaimedAhead(group.name()))
                    && parked.remove(worker)) {
                desk.types(group.name()).forEach(type -> {
                    int room = desk.mayBeClaimedAhead(type) ? MOST_IN_HAND - waiting : free ? 1 : 0;
                    if (room > 0) {
                        wanted.add(new Wanted(SessionStore.parkedType(type, worker), false, room));
                    } else {
                        parked.add(worker);
                    }
                });
            }
        });
        return wanted;
    }

    /** Suspects that may be parked for the workers here; nobody knows, so they are asked for whenever one may run. */
    List<Wanted> parkedSuspects() {
        return roster.waiting().keySet().stream()
                .flatMap(worker -> desk.types(group.name()).stream()
                        .map(type -> new Wanted(SessionStore.parkedType(type, worker), true, 1)))
                .toList();
    }

    /** Less than was wanted was found: there is no more, but for what is on its way. */
    void nothingParked(List<Wanted> wanted) {
        wanted.stream().map(one -> SessionStore.parkedWorker(one.type())).filter(moving::containsKey)
                .forEach(parked::add);
    }

    /** A worker is gone, and its sessions with it. */
    void lost(String worker) {
        desk.lost(worker);
        parked.remove(worker);
    }

    /** The job waited for a worker that is gone. */
    void orphaned(Claim claim) {
        if (desk.affinity(claim.job()).filter(Affinity::isStrict).isPresent()) {
            group.refuse(claim, SessionFailures.lost(claim.job()));
        } else {
            group.work().giveBack(claim, "its session's worker is gone");
        }
    }

    /** Fails what has waited for too long. */
    void refuseOverdue() {
        roster.withdraw(claim -> desk.isOverdue(claim.job())).forEach(this::refuseOverdue);
    }

    private void refuseOverdue(Claim claim) {
        group.refuse(claim, SessionFailures.overdue(claim.job(), desk.deadline(claim.job())));
    }

    /** Sessions of this node were not used for too long. */
    void expired(List<Binding> idle) {
        ended(idle, "expired");
    }

    /** A session was ended because somebody wants that. */
    void dropped(String session, List<Binding> bindings) {
        ended(bindings, "dropped");
        Set<String> types = bindings.stream().map(Binding::type).collect(Collectors.toSet());
        roster.withdraw(claim -> types.contains(claim.job().type()) && desk.affinity(claim.job()).isPresent()
                && claim.job().spec().session().filter(session::equals).isPresent())
                .forEach(this::orphaned);
    }

    void began(Job job) {
        desk.began(job);
    }

    void ended(Job job) {
        desk.ended(job);
    }

    /** Whether there are sessions whose jobs may have to wait for their own worker, or to be told that they have lost it. */
    boolean areUsed() {
        return desk.hasAny(roster.waiting().keySet()) || desk.isAtWork(group.name());
    }

    private void ended(List<Binding> bindings, String reason) {
        for (Binding binding : bindings) {
            Worker worker = binding.worker() == null ? null : roster.find(binding.worker());
            if (worker != null) {
                group.workforce().sessionEnded(worker, binding.session(), reason);
            }
        }
    }

    /** How many sessions a worker has. */
    int count(String worker) {
        return desk.count(worker);
    }

    WorkerSnapshot describe(WorkerSnapshot worker) {
        return worker.with("sessions", Integer.toString(count(worker.id())));
    }
}
