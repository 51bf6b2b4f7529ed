package dev.heddle.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import dev.heddle.job.JobException;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.Fence;
import dev.heddle.worker.Floor;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one group and the claims in hand for them. A worker that ends a job takes the next claim
 * itself, on its own thread; only when there is none does it go idle and its thread end. Where the workers come
 * from and when they go is their {@link Workforce}'s.
 */
final class WorkerGroup implements Floor {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerGroup.class);

    private final Plan plan;
    private final ExecutorService threads;
    private final Work work;
    private final News news;
    private final @Nullable SessionLines sessions;
    private final Roster roster = new Roster();

    /**
     * What a group is to be.
     *
     * @param virtual whether its handlers run on virtual threads
     * @param ahead whether jobs may be claimed beyond the free workers
     * @param hasNonIdempotent whether one of its types must not be claimed ahead
     * @param sessions who knows which worker has which session; null where jobs have none
     */
    record Plan(String name, Workforce workforce, boolean virtual, boolean ahead, boolean hasNonIdempotent,
            @Nullable SessionDesk sessions) {}

    /** What is done with claims. */
    interface Work {
        /** Runs one on a worker; says whether the worker's thread may take the next. */
        boolean run(Worker worker, Claim claim);

        /** Nobody here can run it after all, or not now. */
        default void giveBack(Claim claim, String reason) {
            giveBack(claim, reason, () -> {});
        }

        /** The same; what comes then is done once it is back, before anybody looks for work. */
        void giveBack(Claim claim, String reason, Runnable then);

        /** It fails without having run. */
        void refuse(Claim claim, JobException why);
    }

    /** Who hears of the group. */
    interface News {
        /** A worker has ended its job. */
        void freed();

        /** There is a worker that could not be reckoned with before. */
        void joined();

        void happened(WorkerEvent event);
    }

    WorkerGroup(Plan plan, Work work, News news) {
        this.plan = plan;
        this.work = work;
        this.news = news;
        SessionDesk desk = plan.sessions();
        this.sessions = desk == null ? null : new SessionLines(this, roster, desk, news);
        String threadName = "heddle-" + plan.name() + "-";
        this.threads = plan.virtual()
                ? Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(threadName, 0).factory())
                : Executors
                        .newCachedThreadPool(Thread.ofPlatform().daemon().name(threadName, 0).factory());
    }

    void open(String node, int count) {
        roster.want(count);
        plan.workforce().open(this, node + "/" + plan.name() + "-", count);
    }

    String name() {
        return plan.name();
    }

    boolean hasNonIdempotent() {
        return plan.hasNonIdempotent();
    }

    /** How many jobs may be in hand beyond the free workers, of those that the node could have. */
    int mostAhead(int ofNode) {
        if (plan.ahead()) {
            return ofNode;
        }
        // Without anybody to work through the lines, what is claimed would only go back.
        if (sessions == null || roster.crew().isEmpty()) {
            return 0;
        }
        // Jobs of sessions wait for their own worker: one has to look past them for those that others could do.
        return sessions.areUsed() ? SessionLines.MOST_IN_HAND : Math.min(ofNode, SessionLines.MOST_IN_HAND);
    }

    /** Grows at once; shrinks as workers become idle. */
    void resize(int count) {
        roster.want(count);
        plan.workforce().resize(count);
    }

    @Override
    public void changed(Worker worker) {
        boolean live = worker.lifecycle().state().isLive();
        if (!live && sessions != null) {
            // Before it counts as gone: closing waits for that, and then closes the store.
            sessions.lost(worker.id());
        }
        Roster.Noted noted = roster.note(worker, live);
        if (noted.joined()) {
            news.joined();
        }
        if (sessions != null) {
            noted.orphans().forEach(sessions::orphaned);
        }
        startIdle();
        giveBackSurplus();
    }

    /** One worker more. */
    Worker grow() {
        roster.wantOneMore();
        return plan.workforce().grow();
    }

    /** One worker fewer: this one, once it has ended what it runs. False where there is no such worker. */
    boolean shrink(String workerId) {
        boolean known = roster.find(workerId) != null;
        roster.leave(workerId, name()).ifPresent(plan.workforce()::dismiss);
        return known;
    }

    @Override
    public int sessions(Worker worker) {
        return sessions == null ? 0 : sessions.count(worker.id());
    }

    @Override
    public void tell(WorkerEvent event) {
        news.happened(event);
    }

    /** Takes claims into hand and starts idle workers on them. */
    void offer(List<Claim> claims) {
        if (sessions == null) {
            roster.keep(claims);
        } else {
            sessions.offer(claims, false);
        }
        startIdle();
        giveBackSurplus();
    }

    /** Takes claims into hand that were parked for workers of this group. */
    void offerParked(List<Claim> claims) {
        if (sessions != null) {
            sessions.offer(claims, true);
        }
        startIdle();
        giveBackSurplus();
    }

    /** What was claimed for workers that have fallen ill since. Some may wait where there are sessions to look through. */
    private void giveBackSurplus() {
        if (!plan.ahead() && (sessions == null || roster.crew().isEmpty())) {
            roster.withdrawForAny().forEach(claim -> work.giveBack(claim, "no worker is ready"));
        }
    }

    Workforce workforce() {
        return plan.workforce();
    }

    Work work() {
        return work;
    }

    /** The lines before the workers that have sessions; empty where jobs have none. */
    Optional<SessionLines> sessions() {
        return Optional.ofNullable(sessions);
    }

    /** Fails a claim, on a thread of the group. */
    void refuse(Claim claim, JobException why) {
        execute(claim, () -> work.refuse(claim, why));
    }

    /** Does so on a thread of the group; false where there are none any more, and the claim has gone back. */
    private boolean execute(Claim claim, Runnable task) {
        try {
            threads.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("Closing; job {} goes back", claim.job().id(), e);
            work.giveBack(claim, "closing");
            return false;
        }
    }

    private void startIdle() {
        for (Roster.Pair pair = roster.pair(); pair != null; pair = roster.pair()) {
            Worker worker = pair.worker();
            Claim claim = pair.claim();
            if (!execute(claim, () -> loop(worker, claim))) {
                next(worker, claim);
            }
        }
    }

    private void loop(Worker worker, Claim first) {
        for (Claim claim = first; claim != null; claim = next(worker, claim)) {
            if (!run(worker, claim)) {
                return;
            }
        }
    }

    private boolean run(Worker worker, Claim claim) {
        if (sessions == null) {
            return work.run(worker, claim);
        }
        sessions.began(claim.job());
        try {
            return work.run(worker, claim);
        } finally {
            sessions.ended(claim.job());
        }
    }

    private @Nullable Claim next(Worker worker, Claim ended) {
        // A worker that fell ill under its job and got well again may have another one by now.
        boolean itsOwn = worker.checkIn(ended.job().id());
        if (itsOwn) {
            plan.workforce().rested(worker);
        }
        Claim next = roster.next(worker, itsOwn);
        if (next == null && itsOwn) {
            news.freed();
        }
        return next;
    }

    /** Puts a new worker in the place of one whose handler does not let go of its thread. */
    void replace(Worker lost) {
        roster.lost();
        plan.workforce().abandon(lost);
    }

    /** Free workers less the claims that wait for one; negative where claims wait. */
    int free() {
        return roster.free();
    }

    boolean awaitFree(Duration timeout) throws InterruptedException {
        return roster.awaitFree(timeout);
    }

    /** Whether all workers came to rest within the time. */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        return roster.awaitIdle(timeout);
    }

    int size() {
        return roster.all().size();
    }

    int active() {
        return roster.active();
    }

    List<WorkerSnapshot> snapshots() {
        return shown().map(Worker::snapshot).map(one -> sessions == null ? one : sessions.describe(one))
                .toList();
    }

    /** A worker's changes of state, newest first. */
    List<StateChange> history(String workerId) {
        return shown().filter(worker -> worker.id().equals(workerId)).findFirst()
                .map(worker -> worker.lifecycle().history()).orElse(List.of());
    }

    /** Those who are there, and those whose places are empty: also who cannot start has to be seen. */
    private Stream<Worker> shown() {
        return Stream.concat(roster.all().stream(), plan.workforce().missed().stream()).distinct();
    }

    /** Takes a claim out of hand, if no worker has it yet. */
    Optional<Claim> withdraw(Fence fence) {
        return roster.withdraw(fence);
    }

    /** Takes all claims out of hand that no worker has yet. */
    List<Claim> withdrawAll() {
        return roster.withdrawAll();
    }

    /** Waits, after {@link #close()}, until all workers are gone, it is enough, or the time is over. */
    void awaitEmpty(Duration timeout, BooleanSupplier enough) {
        try {
            roster.awaitEmpty(timeout, enough);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets those who wait look again. */
    void look() {
        roster.look();
    }

    /** Starts nothing more; what is in hand stays there to be withdrawn. */
    void close() {
        roster.close();
        threads.shutdown();
        plan.workforce().close();
    }
}
