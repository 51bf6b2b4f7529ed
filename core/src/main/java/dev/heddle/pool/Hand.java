package dev.heddle.pool;

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

import dev.heddle.store.Claimed.Claim;
import org.jspecify.annotations.Nullable;

/** The claims that wait for a worker: for any, or for the one that has their session. Guarded by its roster's lock. */
final class Hand {

    private static final Comparator<Claim> ORDER = Comparator
            .comparingInt((Claim claim) -> -claim.job().spec().priority())
            .thenComparingLong(claim -> claim.job().seq());

    private final Deque<Claim> forAny = new ArrayDeque<>();
    private final Map<String, Deque<Claim>> forOne = new HashMap<>();

    void add(Claim claim) {
        forAny.addLast(claim);
    }

    void addAll(Collection<Claim> claims) {
        forAny.addAll(claims);
    }

    void add(Claim claim, String worker) {
        forOne.computeIfAbsent(worker, _ -> new ArrayDeque<>()).addLast(claim);
    }

    /** What the worker would do next, of what waits for it alone and what any may do: by priority, then by age. */
    @Nullable
    Claim nextFor(String worker) {
        return before(worker).peekFirst();
    }

    /** Takes what {@link #nextFor} told. */
    void takeNextFor(String worker) {
        before(worker).removeFirst();
        Deque<Claim> own = forOne.get(worker);
        if (own != null && own.isEmpty()) {
            forOne.remove(worker);
        }
    }

    /** The line whose first comes first. */
    private Deque<Claim> before(String worker) {
        Deque<Claim> own = forOne.get(worker);
        if (own == null || own.isEmpty()) {
            return forAny;
        }
        Claim other = forAny.peekFirst();
        return other != null && ORDER.compare(other, own.getFirst()) < 0 ? forAny : own;
    }

    /** How many wait for any worker. */
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

    /** Takes out one such claim. */
    Optional<Claim> take(Predicate<Claim> which) {
        return takeAll(which, 1).stream().findFirst();
    }

    List<Claim> takeAll() {
        return takeAll(_ -> true, Integer.MAX_VALUE);
    }

    /** Takes out what waits for any worker. */
    List<Claim> takeForAny() {
        List<Claim> taken = List.copyOf(forAny);
        forAny.clear();
        return taken;
    }

    /** Takes out what waits for this worker alone. */
    List<Claim> takeFor(String worker) {
        Deque<Claim> own = forOne.remove(worker);
        return own == null ? List.of() : List.copyOf(own);
    }

    List<Claim> takeAll(Predicate<Claim> which, int most) {
        List<Claim> taken = new ArrayList<>();
        take(forAny, which, most, taken);
        for (Deque<Claim> own : forOne.values()) {
            take(own, which, most, taken);
        }
        forOne.values().removeIf(Deque::isEmpty);
        return taken;
    }

    private static void take(Deque<Claim> from, Predicate<Claim> which, int most, List<Claim> into) {
        for (Iterator<Claim> claims = from.iterator(); claims.hasNext() && into.size() < most;) {
            Claim claim = claims.next();
            if (which.test(claim)) {
                claims.remove();
                into.add(claim);
            }
        }
    }
}
