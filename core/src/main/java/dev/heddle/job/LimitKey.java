package dev.heddle.job;

/**
 * A limit that covers a job, and the key under which it does. Jobs with equal limits and keys share the room.
 *
 * @param limit the name of the limit
 * @param key the key, such as the id of a customer; {@link #ALL} if the limit covers all its jobs as one
 * @param weight how much of a rate one start takes, at least 1
 */
public record LimitKey(String limit, String key, int weight) {

    /** The key of a limit that covers all its jobs as one. */
    public static final String ALL = "*";

    /** The most limits that may cover one job. */
    public static final int MOST = 8;

    /** The largest weight. */
    public static final int MOST_WEIGHT = 1_000;

    /** Checks the names and the weight. */
    public LimitKey {
        Limits.name("limit", limit);
        Limits.name("the key of limit '" + Limits.quoted(limit) + "'", key);
        Limits.between(1, MOST_WEIGHT, "the weight for limit '" + Limits.quoted(limit) + "'", weight);
    }

    /** Creates a key with weight 1. */
    public LimitKey(String limit, String key) {
        this(limit, key, 1);
    }

    /** Returns {@code LIMIT:KEY}. */
    @Override
    public String toString() {
        return limit + ":" + key;
    }
}
