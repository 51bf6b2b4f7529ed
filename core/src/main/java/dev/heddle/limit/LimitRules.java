package dev.heddle.limit;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;

import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/** All limits of a store at one time. */
public final class LimitRules {

    /** No limits. */
    public static final LimitRules NONE = new LimitRules(List.of());

    private final SequencedMap<String, Limit> byName = new TreeMap<>();

    /** Creates the rules. */
    public LimitRules(Collection<Limit> limits) {
        limits.forEach(limit -> byName.put(limit.name(), limit));
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return byName.isEmpty();
    }

    /** Returns whether any of them has a rate. */
    public boolean hasRates() {
        return byName.values().stream().anyMatch(limit -> limit.rate() != null);
    }

    /** Returns a limit; null if there is none with this name. */
    public @Nullable Limit find(String name) {
        return byName.get(name);
    }

    /**
     * Returns the job with the keys of all limits that cover it, including those that it names.
     *
     * @throws IllegalArgumentException if it names a limit that does not exist, or if a key cannot be stored
     */
    public JobSpec cover(JobSpec job) {
        List<LimitKey> named = job.extras().limits();
        if (byName.isEmpty() && named.isEmpty()) {
            return job;
        }
        SequencedMap<String, LimitKey> keys = new TreeMap<>();
        for (LimitKey key : named) {
            requireLimit(key);
            keys.put(key.limit(), key);
        }
        for (Limit limit : byName.values()) {
            if (!keys.containsKey(limit.name())) {
                limit.keyOf(job).ifPresent(key -> keys.put(limit.name(), new LimitKey(limit.name(), key)));
            }
        }
        if (keys.size() > LimitKey.MOST) {
            throw new IllegalArgumentException("a job may have at most " + LimitKey.MOST + " limits, this one has "
                    + keys.size() + ": " + String.join(", ", keys.keySet()));
        }
        return job.withLimits(List.copyOf(keys.values()));
    }

    private void requireLimit(LimitKey key) {
        Limit limit = byName.get(key.limit());
        if (limit == null) {
            throw new IllegalArgumentException("there is no limit '" + Limits.quoted(key.limit()) + "'"
                    + (byName.isEmpty() ? "" : "; there are " + String.join(", ", byName.keySet())));
        }
        Rate rate = limit.rate();
        if (rate != null && key.weight() > rate.burst()) {
            throw new IllegalArgumentException("the weight " + key.weight() + " is over the burst of limit '"
                    + limit.name() + "', which is " + rate.burst());
        }
    }

    /** Compares the limits. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LimitRules rules && byName.equals(rules.byName);
    }

    @Override
    public int hashCode() {
        return Objects.hash(byName);
    }
}
