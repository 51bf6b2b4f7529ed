package dev.heddle.engine.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.registry.TypeBreaker;
import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.engine.suspects.StartControl;
import dev.heddle.env.Environment;
import dev.heddle.job.JobType;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claim loop: asks the store for jobs that the free workers can run, and for a few more if jobs end quickly.
 *
 * <p><b>When it asks.</b> A claim that returns fewer jobs than requested means that the store is dry. From then on a
 * free worker is no reason to ask again; only new work is, or a scheduled job that becomes due. An idle pool still
 * polls now and then, less often the longer it finds nothing. Polling is a safety net for lost notifications.
 *
 * <p><b>What it asks for.</b> A claimed job that has not started is lost with its node and runs again elsewhere, so
 * jobs that are claimed ahead must be harmless to repeat. Types that are not idempotent are claimed only for workers
 * that are free now. So are suspects, which may have killed their node; they come first, and {@link StartControl}
 * says how many other jobs may start beside them.
 */
public final class Dispatcher implements BackgroundService {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** How often to ask for suspects if no worker is ever free, because there is always a claim for the next one. */
    private static final Duration SUSPECT_CHECK_INTERVAL = Duration.ofSeconds(1);
    /** How often to ask a closed gate again; it does not announce when it opens. */
    private static final Duration GATE_CHECK_INTERVAL = Duration.ofSeconds(1);

    private static final ClaimResult NOTHING = new ClaimResult(List.of(), 0, null);

    private final ClaimSource claims;
    private final Environment env;
    private final Demand demand;
    private final ClaimsInFlight inFlight;
    private final StartControl starts;
    private final HandlerRegistry registry;
    private final Claiming settings;
    private final List<ClaimTarget> groups;
    private final Map<ClaimTarget, Long> drySince = new HashMap<>();
    /** When to check the closed gates of a group again. Stays until a worker of the group is free for the check. */
    private final Map<ClaimTarget, Duration> nextGateCheck = new HashMap<>();
    private final Wakeup pause;
    private volatile boolean stopped;
    /** Times are {@link Environment#elapsed} times: nobody can set that clock. */
    private @Nullable Duration nextDue;
    private long promoted;
    private @Nullable Duration nextPoll;
    private int emptyPolls;
    private long existingWorkSeen;
    private Duration roundAt = Duration.ZERO;
    private Duration suspectsAskedAt = Duration.ZERO;

    /**
     * Creates a dispatcher.
     *
     * @param groups the worker groups to claim for
     */
    public Dispatcher(ClaimSource claims, Environment env, Demand demand, ClaimsInFlight inFlight,
            HandlerRegistry registry, List<ClaimTarget> groups, Claiming settings) {
        this.claims = claims;
        this.env = env;
        this.pause = new Wakeup(env);
        this.demand = demand;
        this.inFlight = inFlight;
        this.starts = inFlight.starts();
        this.registry = registry;
        this.groups = groups;
        this.settings = settings;
    }

    @Override
    public String name() {
        return "dispatcher";
    }

    @Override
    public void run() {
        int errors = 0;
        while (!stopped) {
            try {
                round();
                errors = 0;
                demand.await(nextWake());
            } catch (StoreException e) {
                errors++;
                Duration delay = settings.errorPause(errors);
                LOG.atWarn().addKeyValue("errors", errors).log("Cannot claim jobs; trying again in {}: {}", delay,
                        e.getMessage());
                pause.await(delay);
            }
        }
    }

    private void round() {
        roundAt = env.elapsed();
        boolean pollDue = nextPoll != null && isDue(nextPoll);
        if (pollDue) {
            drySince.clear();
        }
        long existingWork = demand.existingWorkSeen();
        boolean checkParked = pollDue || existingWork != existingWorkSeen
                || (nextDue != null && isDue(nextDue));
        existingWorkSeen = existingWork;
        if (starts.takeRefused()) {
            groups.forEach(ClaimTarget::startRefused);
        }
        boolean found = false;
        for (ClaimTarget group : groups) {
            group.parked().ifPresent(parked -> claimParked(group, parked, checkParked));
            while (!stopped && claimFor(group)) {
                found = true;
            }
        }
        emptyPolls = found ? 0 : emptyPolls + (pollDue ? 1 : 0);
        Duration wait = settings.pollPause(emptyPolls, !demand.isListening());
        Duration next = wait == null ? null : roundAt.plus(wait);
        // A poll that is due earlier stays due, however often something else wakes this thread.
        if (found || pollDue || next == null || nextPoll == null || next.compareTo(nextPoll) < 0) {
            nextPoll = next;
        }
    }

    /**
     * Claims jobs that are parked for workers of this group. There may be room for them even if the workers are busy.
     */
    private void claimParked(ClaimTarget group, ParkedJobs parked, boolean checkAll) {
        if (checkAll) {
            parked.mayBeParked();
            List<Wanted> suspects = parked.parkedSuspects();
            if (starts.room() > 0 && !suspects.isEmpty() && !stopped) {
                group.offerParked(inFlight.add(claims.claim(suspects.size(), suspects).claims()));
            }
        }
        List<Wanted> wanted = starts.room() > 0 ? parked.parkedJobs() : List.of();
        if (!wanted.isEmpty() && !stopped) {
            int limit = wanted.stream().mapToInt(Wanted::limit).sum();
            ClaimResult claimed = ask(limit, wanted);
            // If any worker has more parked jobs than requested, at least as many as the smallest limit were claimed.
            if (claimed.claims().size() < wanted.stream().mapToInt(Wanted::limit).min().orElse(0)) {
                parked.nothingParked(wanted);
            } else {
                parked.mayBeParked(wanted);
            }
            group.offerParked(inFlight.add(claimed.claims()));
        }
    }

    /** Claims once for a group; returns false if there is no room, nothing to claim, or not enough room to bother. */
    private boolean claimFor(ClaimTarget group) {
        long work = demand.workSeen();
        boolean due = Stream.concat(timesToWake(), Stream.ofNullable(nextGateCheck.get(group)))
                .anyMatch(this::isDue);
        if (!due && Long.valueOf(work).equals(drySince.get(group))) {
            return false;
        }
        int freeLessWaiting = group.freeLessWaiting();
        int free = Math.max(0, freeLessWaiting);
        // Groups with sessions have their own limit, which does not depend on what other groups have to commit.
        int unsettled = group.parked().isPresent() ? 0 : claims.unsettled();
        ClaimWindow window = new ClaimWindow(free, Math.max(0, -freeLessWaiting), unsettled,
                group.maxAhead(claims.maxAhead()));
        int roomForSuspects = starts.room();
        // Without room for a suspect, nothing else may take its place either, even if a job ends in this moment.
        if (!window.isWorthAClaim() || roomForSuspects == 0) {
            return false;
        }
        List<Open> open = open(group);
        long promotedBefore = promoted;
        int asked = Math.min(suspectsWanted(free, window.ahead()), roomForSuspects);
        ClaimResult suspects = claim(group, asked, suspects(open));
        if (!suspects.claims().isEmpty() && !isDry(suspects, asked)) {
            return true;
        }
        int room = starts.room();
        int atOnce = Math.min(Math.max(0, free - suspects.claims().size()), room);
        int ahead = room == Integer.MAX_VALUE ? window.ahead() : 0;
        int claimed;
        boolean dry;
        if (open.stream().anyMatch(each -> !each.type.isIdempotent())) {
            int started = claim(group, atOnce, wanted(open, true)).claims().size();
            dry = started < atOnce;
            claimed = started + (dry ? 0 : claim(group, ahead, wanted(open, false)).claims().size());
        } else {
            claimed = claim(group, atOnce + ahead, wanted(open, true)).claims().size();
            dry = claimed < atOnce + ahead;
        }
        // A job that became due between two of these requests may be one that the first of them wanted.
        boolean promotedMeanwhile = promoted != promotedBefore;
        // If no worker was free, or no more may start beside a suspect, not all were requested that there may be.
        if (dry && !promotedMeanwhile && free > 0 && room == Integer.MAX_VALUE && isDry(suspects, asked)) {
            drySince.put(group, work);
        }
        return suspects.claims().size() + claimed > 0 || promotedMeanwhile;
    }

    /**
     * Returns how many suspects to claim. They are not claimed ahead, but a node whose workers always find a claim that
     * waits for them must get to its suspects, too.
     */
    private int suspectsWanted(int free, int ahead) {
        boolean overdue = roundAt.minus(suspectsAskedAt).compareTo(SUSPECT_CHECK_INTERVAL) >= 0;
        if (free == 0 && (ahead == 0 || !overdue)) {
            return 0;
        }
        suspectsAskedAt = roundAt;
        return Math.max(1, free);
    }

    /** A claim ends with the first suspect that has a cap, and there may be more. */
    private static boolean isDry(ClaimResult suspects, int asked) {
        return suspects.claims().size() < asked
                && suspects.claims().stream().noneMatch(claim -> claim.suspicion().isCapped());
    }

    private ClaimResult claim(ClaimTarget group, int limit, List<Wanted> wanted) {
        if (limit <= 0 || wanted.isEmpty()) {
            return NOTHING;
        }
        ClaimResult claimed = ask(limit, wanted);
        group.offer(inFlight.add(claimed.claims()));
        return claimed;
    }

    /**
     * A type whose gates are open.
     *
     * @param heldTags tags whose jobs still may not start
     */
    private record Open(JobType<?, ?> type, Set<String> heldTags) {}

    /** Returns the types of a group whose gates are open. */
    private List<Open> open(ClaimTarget group) {
        List<Open> open = new ArrayList<>();
        boolean all = true;
        for (Registration<?, ?> registration : registry.in(group.name()).toList()) {
            String type = registration.type().name();
            boolean isOpen = registry.hold(type).isEmpty();
            Set<String> tags = isOpen ? registry.heldTags(type).keySet() : Set.of();
            if (isOpen) {
                open.add(new Open(registration.type(), tags));
            }
            all &= isOpen && tags.isEmpty();
        }
        if (all) {
            nextGateCheck.remove(group);
        } else {
            nextGateCheck.put(group, roundAt.plus(GATE_CHECK_INTERVAL));
        }
        return open;
    }

    private List<Wanted> suspects(List<Open> types) {
        return types.stream().filter(open -> allowance(open.type) > 0)
                .map(open -> new Wanted(open.type.name(), true, allowance(open.type), open.heldTags)).toList();
    }

    private List<Wanted> wanted(List<Open> types, boolean nonIdempotentToo) {
        return types.stream().filter(open -> nonIdempotentToo || open.type.isIdempotent())
                .filter(open -> allowance(open.type) > 0)
                .map(open -> new Wanted(open.type.name(), false, allowance(open.type), open.heldTags)).toList();
    }

    private int allowance(JobType<?, ?> type) {
        int breakerAllowance = registry.breaker(type.name()).map(TypeBreaker::allowance).orElse(Integer.MAX_VALUE);
        return Math.min(breakerAllowance, inFlight.room(type));
    }

    /**
     * Returns how long to wait for the next time at which something can be claimed without any other event. Everything due in this round
     * was tried, or there was no room for it; in that case a free worker wakes this thread.
     */
    private @Nullable Duration nextWake() {
        Duration next = Stream.of(timesToWake(), nextGateCheck.values().stream(), Stream.ofNullable(nextPoll))
                .flatMap(times -> times).filter(at -> !isDue(at)).min(Comparator.naturalOrder()).orElse(null);
        return next == null ? null : next.minus(env.elapsed());
    }

    private boolean isDue(Duration at) {
        return at.compareTo(roundAt) <= 0;
    }

    /**
     * Claims jobs, and notes when the next one is due. The store counts from some moment during the call; from its
     * beginning, this thread wakes rather early than late. A job that is due and still SCHEDULED is locked by another
     * node, which will queue it.
     */
    private ClaimResult ask(int limit, List<Wanted> wanted) {
        Duration askedAt = env.elapsed();
        ClaimResult claimed = claims.claim(limit, wanted);
        Duration left = claimed.untilDue();
        nextDue = left == null ? null : left.isPositive() ? askedAt.plus(left) : roundAt;
        promoted += claimed.promoted();
        if (claimed.promoted() > 0) {
            drySince.clear(); // they are new work, perhaps of another group, or more than there was room for
        }
        return claimed;
    }

    /** Returns when a scheduled job is due, and when an open breaker admits a trial. */
    private Stream<Duration> timesToWake() {
        return Stream.concat(Stream.ofNullable(nextDue),
                registry.breakers().stream().flatMap(breaker -> breaker.nextTrial().stream()));
    }

    /** Ends a pause after errors, because the store works again. */
    public void storeRecovered() {
        pause.raise();
    }

    @Override
    public void stop() {
        stopped = true;
        pause.raise();
        demand.workAvailable();
    }
}
