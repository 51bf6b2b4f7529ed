package dev.heddle.engine;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.heddle.engine.registry.Registration;
import dev.heddle.job.DurationText;
import dev.heddle.job.JobType;
import dev.heddle.job.Limits;
import dev.heddle.pool.PoolSettings;

/** Describes how a node is configured, in words that can be compared between nodes. */
final class NodeSettings {

    private NodeSettings() {}

    /** Returns the version of Heddle. */
    static String version() {
        Properties properties = new Properties();
        try (InputStream stream = NodeSettings.class.getResourceAsStream("heddle.properties")) {
            if (stream != null) {
                properties.load(stream);
            }
        } catch (IOException e) {
            // Only people read it.
        }
        return properties.getProperty("version", "unknown");
    }

    /**
     * Returns the settings.
     *
     * @param more what the application says about its configuration
     */
    static SortedMap<String, String> of(PoolSettings pool, Collection<Registration<?, ?>> types,
            Map<String, String> more) {
        SortedMap<String, String> settings = new TreeMap<>();
        settings.put("pool: workers", String.valueOf(pool.workers()));
        pool.groups().forEach((name, workers) -> settings.put("pool: workers of group " + name,
                String.valueOf(workers)));
        settings.put("pool: timeout", DurationText.of(pool.timeout()));
        settings.put("pool: maxRetries", String.valueOf(pool.retry().maxRetries()));
        settings.put("pool: maxCrashes", String.valueOf(pool.recovering().maxCrashes()));
        settings.put("pool: payloadLimit", String.valueOf(pool.payloadLimit()));
        settings.put("pool: queueCapacity", String.valueOf(pool.queueCapacity()));
        pool.queueCapacities().forEach((name, capacity) -> settings.put("queue " + name + ": capacity",
                String.valueOf(capacity)));
        types.forEach(type -> add(type.type(), settings));
        more.forEach((name, value) -> settings.put(name, Limits.cut(value, Limits.REASON)));
        return settings;
    }

    private static void add(JobType<?, ?> type, Map<String, String> settings) {
        String prefix = "type " + type.name();
        settings.put(prefix, "has a handler");
        type.retry().ifPresent(retry -> settings.put(prefix + ": maxRetries", String.valueOf(retry.maxRetries())));
        type.timeout().ifPresent(timeout -> put(settings, prefix + ": timeout", timeout));
        type.stallAfter().ifPresent(silence -> put(settings, prefix + ": stallAfter", silence));
        type.group().ifPresent(group -> settings.put(prefix + ": group", group));
        type.maxConcurrentPerNode()
                .ifPresent(most -> settings.put(prefix + ": maxConcurrentPerNode", String.valueOf(most)));
        type.affinity().ifPresent(affinity -> settings.put(prefix + ": affinity", String.valueOf(affinity)));
        type.breaker().ifPresent(_ -> settings.put(prefix + ": breaker", "yes"));
        if (!type.isIdempotent()) {
            settings.put(prefix + ": idempotent", "no");
        }
    }

    private static void put(Map<String, String> settings, String name, Duration value) {
        settings.put(name, DurationText.of(value));
    }
}
