package dev.heddle.cli.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.store.Retention;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** What a node is told; complete and checked. */
public record Config(StoreConfig store, PoolConfig pool, ServerConfig server, Level logLevel) {

    /** Where the jobs are. */
    public sealed interface StoreConfig {

        /** What to call it in messages. */
        String label();

        /** A file, for one node. */
        record Sqlite(Path file) implements StoreConfig {
            @Override
            public String label() {
                return file.toString();
            }
        }

        /** A database, for many nodes. */
        record Postgresql(String url, @Nullable String user, @Nullable String password, String schema,
                int connections) implements StoreConfig {
            /** Without what comes after the question mark, which may be a password. */
            @Override
            public String label() {
                return url.replaceFirst("\\?.*", "");
            }
        }
    }

    /** How jobs run. */
    public record PoolConfig(int workers, Duration timeout, Duration closeTimeout, Claiming claiming,
            Recovering recovering, Retention retention) {

        public PoolConfig withWorkers(int count) {
            return new PoolConfig(count, timeout, closeTimeout, claiming, recovering, retention);
        }
    }

    /**
     * Where the node listens.
     *
     * @param token null for a new one at each start
     * @param allowedHosts further names that requests may call it by
     */
    public record ServerConfig(String host, int port, @Nullable String token, List<String> allowedHosts) {}
}
