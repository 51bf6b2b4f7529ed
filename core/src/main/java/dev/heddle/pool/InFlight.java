package dev.heddle.pool;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.JobType;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.Fence;

/** What this node has claimed and not yet settled in the store, as far as claiming must know it. */
final class InFlight {

    private final Registry registry;
    private final Demand demand;
    private final EndRate endRate = new EndRate();
    private final AtomicInteger suspects = new AtomicInteger();
    private final Set<Fence> fences = ConcurrentHashMap.newKeySet();
    /** How many there are of types that may have no more than so many. */
    private final Map<String, Integer> limited = new ConcurrentHashMap<>();
    private final Set<Fence> disowned = new HashSet<>();
    /** What goes on without anybody here who sees to it. */
    private final Set<Fence> left = new HashSet<>();

    InFlight(Registry registry, Demand demand) {
        this.registry = registry;
        this.demand = demand;
    }

    /** The answer to a claim; returns what of it is still this node's. */
    synchronized List<Claim> claimed(List<Claim> claims) {
        List<Claim> ours = claims.stream().filter(claim -> !disowned.contains(claim.fence())).toList();
        // One claim at a time is under way, so that no other answer can come any more.
        disowned.clear();
        ours.forEach(this::add);
        return ours;
    }

    private void add(Claim claim) {
        fences.add(claim.fence());
        left.removeIf(fence -> fence.seq() == claim.fence().seq());
        if (claim.suspect()) {
            suspects.incrementAndGet();
        }
        registry.breaker(claim.job().type()).ifPresent(Breaker::claimed);
        if (isLimited(claim)) {
            limited.merge(claim.job().type(), 1, Integer::sum);
        }
    }

    /** Attempts of other nodes, or left by this one, that are this node's now. */
    synchronized void adopted(List<Claim> claims) {
        claims.forEach(this::add);
    }

    /** The attempt goes on by itself, and the store has it for this node still. */
    synchronized void left(Claim claim) {
        left.add(claim.fence());
        settled(claim);
    }

    /** What was left is not to go on after all; false where it was not, or has been taken up again. */
    synchronized boolean isOver(Fence fence) {
        return left.remove(fence);
    }

    boolean has(long seq) {
        return fences.stream().anyMatch(fence -> fence.seq() == seq);
    }

    /** Refuses a claim that the store knows and the node does not, even if its answer comes; false where it has come. */
    synchronized boolean disown(Fence fence) {
        return !fences.contains(fence) && !left.contains(fence) && disowned.add(fence);
    }

    /** The claim's end, or its return, is committed. */
    void settled(Claim claim) {
        endRate.ended(1, System.nanoTime());
        fences.remove(claim.fence());
        if (claim.suspect()) {
            suspects.decrementAndGet();
        }
        registry.breaker(claim.job().type()).ifPresent(Breaker::settled);
        boolean wasLimited = isLimited(claim);
        if (wasLimited) {
            limited.merge(claim.job().type(), -1, Integer::sum);
        }
        if (claim.suspect() || wasLimited || registry.breaker(claim.job().type()).isPresent()) {
            demand.work();
        }
    }

    private boolean isLimited(Claim claim) {
        Registration<?, ?> registration = registry.find(claim.job().type());
        return registration != null && registration.type().atMost().isPresent();
    }

    /** How many more jobs of the type this node may have. */
    int room(JobType<?, ?> type) {
        return type.atMost().map(most -> Math.max(0, most - limited.getOrDefault(type.name(), 0)))
                .orElse(Integer.MAX_VALUE);
    }

    /** A copy, as of now. */
    Set<Fence> fences() {
        return Set.copyOf(fences);
    }

    boolean hasSuspect() {
        return suspects.get() > 0;
    }

    int endedLately() {
        return endRate.lastWindow(System.nanoTime());
    }
}
