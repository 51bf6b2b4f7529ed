package dev.heddle.engine.execute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import dev.heddle.store.ClaimResult.Claim;
import org.jspecify.annotations.Nullable;

/**
 * The claims that wait for a worker: for any worker, or for the one that has their session. Guarded by the lock of
 * its {@link WorkerRoster}.
 */
final class ClaimQueue {

    private static final Comparator<Claim> ORDER = Comparator
            .comparingInt((Claim claim) -> -claim.job().spec().priority())
            .thenComparingLong(claim -> claim.job().seq());

    private final Deque<Claim> forAny = new ArrayDeque<>();
    private final Map<String, Deque<Claim>> forOne = new HashMap<>();

    void addAll(Collection<Claim> claims) {
        forAny.addAll(claims);
    }

    void add(Claim claim, String worker) {
        forOne.computeIfAbsent(worker, _ -> new ArrayDeque<>()).addLast(claim);
    }

    /** Returns the claim that the worker should run next, by priority, then by age; null if there is none. */
    @Nullable Claim peekFor(String worker) {
        return queueFor(worker).peekFirst();
    }

    /** Removes the claim that {@link #peekFor} returned. */
    void removeNextFor(String worker) {
        queueFor(worker).removeFirst();
        Deque<Claim> own = forOne.get(worker);
        if (own != null && own.isEmpty()) {
            forOne.remove(worker);
        }
    }

    /** Returns the queue whose first claim comes first. */
    private Deque<Claim> queueFor(String worker) {
        Deque<Claim> own = forOne.get(worker);
        if (own == null || own.isEmpty()) {
            return forAny;
        }
        Claim other = forAny.peekFirst();
        return other != null && ORDER.compare(other, own.getFirst()) < 0 ? forAny : own;
    }

    /** Returns how many claims wait for any worker. */
    int size() {
        return forAny.size();
    }

    int sizeFor(String worker) {
        Deque<Claim> own = forOne.get(worker);
        return own == null ? 0 : own.size();
    }

    boolean isEmpty() {
        return forAny.isEmpty() && forOne.isEmpty();
    }

    /** Removes one matching claim. */
    Optional<Claim> remove(Predicate<Claim> which) {
        return removeAll(which, 1).stream().findFirst();
    }

    List<Claim> removeAll() {
        return removeAll(_ -> true, Integer.MAX_VALUE);
    }

    /** Removes the claims that any worker may run, except the first few. */
    List<Claim> removeForAny(int except) {
        List<Claim> removed = forAny.stream().skip(except).toList();
        while (forAny.size() > except) {
            forAny.removeLast();
        }
        return removed;
    }

    /** Removes the claims that only this worker may run. */
    List<Claim> removeFor(String worker) {
        Deque<Claim> own = forOne.remove(worker);
        return own == null ? List.of() : List.copyOf(own);
    }

    List<Claim> removeAll(Predicate<Claim> which, int max) {
        List<Claim> removed = new ArrayList<>();
        remove(forAny, which, max, removed);
        for (Deque<Claim> own : forOne.values()) {
            remove(own, which, max, removed);
        }
        forOne.values().removeIf(Deque::isEmpty);
        return removed;
    }

    private static void remove(Deque<Claim> from, Predicate<Claim> which, int max, List<Claim> into) {
        for (Iterator<Claim> claims = from.iterator(); claims.hasNext() && into.size() < max;) {
            Claim claim = claims.next();
            if (which.test(claim)) {
                claims.remove();
                into.add(claim);
            }
        }
    }
}
