package dev.heddle.engine.dispatch;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.registry.TypeBreaker;
import dev.heddle.engine.suspects.StartControl;
import dev.heddle.env.Environment;
import dev.heddle.job.JobType;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;

/**
 * The claims of this node that are not yet settled in the store.
 *
 * <p>The hard part is the gap between the store and this node. A claim can be committed while its answer is lost on
 * the way, and a lease renewal can report a claim whose answer is still on its way. So a claim is in one of these
 * sets:
 * <ol>
 * <li>{@code starts}: the answer has arrived. The claim waits or runs here until its end, or its release, is
 * committed.
 * <li>{@code disowned}: the store reported the claim, the answer did not arrive, and this node released the claim. If
 * the answer arrives after all, it is ignored. Only one claim request is under way at a time, so the next answer
 * empties the set.
 * <li>{@code detached}: the attempt's work goes on without a worker here. The store still holds it for this node,
 * until it is adopted or cancelled.
 * </ol>
 */
public final class ClaimsInFlight {

    private final HandlerRegistry registry;
    private final Demand demand;
    private final Environment env;
    private final CompletionRate completionRate = new CompletionRate();
    private final StartControl starts;
    /** The number of claims of each type that has a limit per node. */
    private final Map<String, Integer> limited = new ConcurrentHashMap<>();
    private final Set<Fence> disowned = new HashSet<>();
    private final Set<Fence> detached = new HashSet<>();

    public ClaimsInFlight(HandlerRegistry registry, Demand demand, Environment env) {
        this.registry = registry;
        this.demand = demand;
        this.env = env;
        this.starts = new StartControl(demand::workAvailable);
    }

    /** Returns what decides which claims may start. */
    public StartControl starts() {
        return starts;
    }

    /** Adds the answer to a claim request; returns the claims that still belong to this node. */
    synchronized List<Claim> add(List<Claim> claims) {
        List<Claim> accepted = claims.stream().filter(claim -> !disowned.contains(claim.fence())).toList();
        // Only one claim request is under way at a time, so no other answer can still arrive.
        disowned.clear();
        accepted.forEach(this::add);
        return accepted;
    }

    private void add(Claim claim) {
        starts.add(claim);
        detached.removeIf(fence -> fence.seq() == claim.fence().seq());
        registry.breaker(claim.job().type()).ifPresent(TypeBreaker::claimed);
        if (isLimited(claim)) {
            limited.merge(claim.job().type(), 1, Integer::sum);
        }
    }

    /** Adds attempts that were detached, by another node or by this one. */
    public synchronized void adopt(List<Claim> claims) {
        claims.forEach(this::add);
    }

    /** Notes that the attempt goes on by itself, while the store still holds it for this node. */
    public synchronized void detach(Claim claim) {
        detached.add(claim.fence());
        settle(claim);
    }

    /** Ends a detached attempt; returns false if it was not detached, or has been adopted since. */
    public synchronized boolean endDetached(Fence fence) {
        return detached.remove(fence);
    }

    /** Returns whether a claim of this job is in flight. */
    public boolean has(long seq) {
        return starts.fences().stream().anyMatch(fence -> fence.seq() == seq);
    }

    /** Rejects a claim whose answer has not arrived, even if it arrives later; returns false if it has arrived. */
    public synchronized boolean disown(Fence fence) {
        return !starts.contains(fence) && !detached.contains(fence) && disowned.add(fence);
    }

    /** Removes a claim whose end or release is committed. */
    public void settle(Claim claim) {
        completionRate.add(1, env.nanoTime());
        starts.remove(claim.fence());
        registry.breaker(claim.job().type()).ifPresent(TypeBreaker::settled);
        boolean wasLimited = isLimited(claim);
        if (wasLimited) {
            limited.merge(claim.job().type(), -1, Integer::sum);
        }
        if (claim.suspect() || wasLimited || registry.breaker(claim.job().type()).isPresent()) {
            demand.workAvailable();
        }
    }

    private boolean isLimited(Claim claim) {
        Registration<?, ?> registration = registry.find(claim.job().type());
        return registration != null && registration.type().maxConcurrentPerNode().isPresent();
    }

    /** Returns how many more jobs of the type this node may claim. */
    int room(JobType<?, ?> type) {
        return type.maxConcurrentPerNode().map(max -> Math.max(0, max - claimed(type.name())))
                .orElse(Integer.MAX_VALUE);
    }

    /** Returns how many jobs of a type with a limit per node this node has claimed. */
    public int claimed(String type) {
        return limited.getOrDefault(type, 0);
    }

    /** Returns a copy of the fences of all claims in flight. */
    public Set<Fence> fences() {
        return starts.fences();
    }

    /** Returns how many claims were settled in the last 200 ms. */
    public int recentCompletions() {
        return completionRate.lastWindow(env.nanoTime());
    }
}
