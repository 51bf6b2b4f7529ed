package dev.heddle.limit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;

/**
 * Numbers for the keys of limits, and for the groups of jobs that are alike for them: the first 63 bits of a SHA-256.
 * Every node computes the same number, so nobody has to look one up.
 */
public final class LimitIds {

    private static final int MOST_KNOWN = 10_000;

    /** A claim asks for the number of a key many times. */
    private static final Map<LimitKey, Long> KNOWN = new ConcurrentHashMap<>();

    private LimitIds() {}

    /** Returns the number of a key. */
    public static long key(LimitKey key) {
        Long known = KNOWN.get(key);
        if (known != null) {
            return known;
        }
        long number = hash(key.limit(), key.key());
        if (KNOWN.size() >= MOST_KNOWN) {
            KNOWN.clear();
        }
        KNOWN.put(key, number);
        return number;
    }

    /** Returns the number of the group of a job: the jobs of its queue and type with the same keys and weights. */
    public static long group(JobSpec job) {
        List<LimitKey> keys = job.extras().limits();
        String[] parts = new String[2 + 3 * keys.size()];
        parts[0] = job.queue();
        parts[1] = job.type();
        for (int i = 0; i < keys.size(); i++) {
            parts[2 + 3 * i] = keys.get(i).limit();
            parts[3 + 3 * i] = keys.get(i).key();
            parts[4 + 3 * i] = Integer.toString(keys.get(i).weight());
        }
        return hash(parts);
    }

    /** Returns the number of the jobs of a queue and a type. */
    public static long place(String queue, String type) {
        return hash(queue, type);
    }

    /** Names have no control characters, so one of these separates them. */
    private static long hash(String... parts) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\u001f", parts).getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest).getLong() & Long.MAX_VALUE;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
