package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.heddle.job.JobType;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Claimed;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claiming loop: asks the store for what the free workers could run, and for a little more when jobs end
 * quickly.
 *
 * <p>After a claim that brought less than it asked for, the store is dry, and room alone is no reason to ask
 * again: only new work is, or a scheduled job that is due. An idle pool looks now and then all the same, the more rarely
 * the longer it finds nothing: the safety net under whatever should have told it.
 *
 * <p>Suspects, which a dead node held, are claimed one at a time, and non-idempotent types only for workers that
 * are free this moment: what is claimed and not started is lost with the node, and must be harmless to repeat.
 */
final class Dispatcher implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** A gate does not say when it opens. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Claims claims;
    private final InstantSource clock;
    private final Demand demand;
    private final InFlight inFlight;
    private final Registry registry;
    private final Ahead bounds;
    private final Claiming settings;
    private final List<WorkerGroup> groups;
    private final Map<WorkerGroup, Long> dryAt = new HashMap<>();
    /** When to look again at gates that were closed to a group; it stays until somebody could look. */
    private final Map<WorkerGroup, Instant> lookAgain = new HashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Instant nextDue;
    private @Nullable Instant nextLook;
    private int looksInVain;
    private long oldWorkSeen;
    private Instant roundAt = Instant.MIN;

    /** The store's claim, with whatever has to happen around it. */
    interface Claims {
        Claimed claim(Instant now, int limit, List<Wanted> wanted);
    }

    /** What bounds the claims beyond the free workers. */
    interface Ahead {
        /** How many jobs may be in flight beyond the workers now. */
        int most();

        /** How many of these are over, and only to be committed. */
        int unsettled();
    }

    Dispatcher(Claims claims, InstantSource clock, Demand demand, InFlight inFlight, Registry registry,
            List<WorkerGroup> groups, Ahead bounds, Claiming settings) {
        this.claims = claims;
        this.clock = clock;
        this.demand = demand;
        this.inFlight = inFlight;
        this.registry = registry;
        this.groups = groups;
        this.bounds = bounds;
        this.settings = settings;
    }

    @Override
    public void run() {
        int errors = 0;
        while (closed.getCount() > 0) {
            try {
                round();
                errors = 0;
                demand.await(nextWake());
            } catch (StoreException e) {
                errors++;
                Duration delay = settings.pauseAfter(errors);
                LOG.atWarn().addKeyValue("errors", errors).log("Cannot claim jobs, trying again in {}: {}",
                        delay,
                        e.getMessage());
                pause(delay);
            }
        }
    }

    private void pause(Duration delay) {
        try {
            if (closed.await(delay.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("Closed while waiting for the store");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void round() {
        roundAt = clock.instant();
        boolean unasked = nextLook != null && !nextLook.isAfter(roundAt);
        if (unasked) {
            dryAt.clear();
        }
        long oldWork = demand.oldWorkSeen();
        boolean lookAtParked = unasked || oldWork != oldWorkSeen
                || (nextDue != null && !nextDue.isAfter(roundAt));
        oldWorkSeen = oldWork;
        boolean found = false;
        for (WorkerGroup group : groups) {
            group.sessions().ifPresent(lines -> claimParked(group, lines, lookAtParked));
            while (closed.getCount() > 0 && claimFor(group)) {
                found = true;
            }
        }
        looksInVain = found ? 0 : looksInVain + (unasked ? 1 : 0);
        Duration pause = settings.pause(looksInVain, demand.isDeaf());
        Instant next = pause == null ? null : roundAt.plus(pause);
        // A look that is due before that stays due, however often something else wakes us.
        if (found || unasked || next == null || nextLook == null || next.isBefore(nextLook)) {
            nextLook = next;
        }
    }

    /** What waits in the store for workers of this group alone; there is room for it though they may be busy. */
    private void claimParked(WorkerGroup group, SessionLines lines, boolean all) {
        if (all) {
            lines.mayBeParked();
            List<Wanted> suspects = lines.parkedSuspects();
            if (!inFlight.hasSuspect() && !suspects.isEmpty() && closed.getCount() > 0) {
                group.offerParked(inFlight.claimed(claims.claim(roundAt, 1, suspects).jobs()));
            }
        }
        List<Wanted> wanted = lines.parkedJobs();
        if (!wanted.isEmpty() && closed.getCount() > 0) {
            int limit = wanted.stream().mapToInt(Wanted::limit).sum();
            Claimed claimed = claims.claim(roundAt, limit, wanted);
            nextDue = claimed.nextDue();
            // Where one of them has more than it was asked for, there are at least as many as the smallest limit.
            if (claimed.jobs().size() < wanted.stream().mapToInt(Wanted::limit).min().orElse(0)) {
                lines.nothingParked(wanted);
            } else {
                lines.mayBeParked(wanted);
            }
            group.offerParked(inFlight.claimed(claimed.jobs()));
        }
    }

    /** Claims once for a group; false where there is no room, nothing to claim, or not enough room to bother. */
    private boolean claimFor(WorkerGroup group) {
        long work = demand.workSeen();
        boolean due = Stream.concat(timesToWake(), Stream.ofNullable(lookAgain.get(group)))
                .anyMatch(at -> !at.isAfter(roundAt));
        if (!due && Long.valueOf(work).equals(dryAt.get(group))) {
            return false;
        }
        int balance = group.free();
        int free = Math.max(0, balance);
        // Lines have their own bound, and what other groups have to commit is none of it.
        int unsettled = group.sessions().isPresent() ? 0 : bounds.unsettled();
        Room room = new Room(free, Math.max(0, -balance), unsettled, group.mostAhead(bounds.most()));
        if (!room.isWorthAClaim()) {
            return false;
        }
        int ahead = room.ahead();
        List<Open> open = open(group);
        int suspects = free > 0 && !inFlight.hasSuspect() ? claim(group, 1, suspects(open)) : 0;
        int atOnce = free - suspects;
        int claimed;
        boolean dry;
        if (group.hasNonIdempotent()) {
            int started = claim(group, atOnce, wanted(open, true));
            dry = started < atOnce;
            claimed = started + (dry ? 0 : claim(group, ahead, wanted(open, false)));
        } else {
            claimed = claim(group, atOnce + ahead, wanted(open, true));
            dry = claimed < atOnce + ahead;
        }
        // With no worker free, suspects were not asked for, and nothing is known about them.
        if (dry && free > 0) {
            dryAt.put(group, work);
        }
        return suspects + claimed > 0;
    }

    private int claim(WorkerGroup group, int limit, List<Wanted> wanted) {
        if (limit <= 0 || wanted.isEmpty()) {
            return 0;
        }
        Claimed claimed = claims.claim(roundAt, limit, wanted);
        nextDue = claimed.nextDue();
        group.offer(inFlight.claimed(claimed.jobs()));
        return claimed.jobs().size();
    }

    /**
     * A type whose gates are open.
     *
     * @param closedTags tags whose jobs may not start all the same
     */
    private record Open(JobType<?, ?> type, Set<String> closedTags) {}

    /** The types of a group whose gates are open. */
    private List<Open> open(WorkerGroup group) {
        List<Open> open = new ArrayList<>();
        boolean all = true;
        for (Registration<?, ?> registration : registry.in(group.name()).toList()) {
            String type = registration.type().name();
            boolean isOpen = registry.closed(type).isEmpty();
            Set<String> tags = isOpen ? registry.closedTags(type).keySet() : Set.of();
            if (isOpen) {
                open.add(new Open(registration.type(), tags));
            }
            all &= isOpen && tags.isEmpty();
        }
        if (all) {
            lookAgain.remove(group);
        } else {
            lookAgain.put(group, roundAt.plus(LOOK_AGAIN));
        }
        return open;
    }

    private List<Wanted> suspects(List<Open> types) {
        return types.stream().filter(open -> allowance(open.type) > 0)
                .map(open -> new Wanted(open.type.name(), true, 1, open.closedTags)).toList();
    }

    private List<Wanted> wanted(List<Open> types, boolean nonIdempotentToo) {
        return types.stream().filter(open -> nonIdempotentToo || open.type.isIdempotent())
                .filter(open -> allowance(open.type) > 0)
                .map(open -> new Wanted(open.type.name(), false, allowance(open.type), open.closedTags))
                .toList();
    }

    private int allowance(JobType<?, ?> type) {
        int ofBreaker = registry.breaker(type.name()).map(Breaker::allowance).orElse(Integer.MAX_VALUE);
        return Math.min(ofBreaker, inFlight.room(type));
    }

    /**
     * The next time at which something becomes claimable by itself. What was due in this round has been tried, or
     * there was no room for it, and then room wakes us.
     */
    private @Nullable Instant nextWake() {
        return Stream.of(timesToWake(), lookAgain.values().stream(), Stream.ofNullable(nextLook))
                .flatMap(times -> times).filter(at -> at.isAfter(roundAt))
                .min(Comparator.naturalOrder()).orElse(null);
    }

    /** When a scheduled job is due, and when an open breaker lets one job try. */
    private Stream<Instant> timesToWake() {
        return Stream.concat(Stream.ofNullable(nextDue),
                registry.breakers().stream().flatMap(breaker -> breaker.nextTrial().stream()));
    }

    void close() {
        closed.countDown();
        demand.work();
    }
}
