package dev.heddle.cli.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.heddle.budget.Budget;
import dev.heddle.command.Workshop;
import dev.heddle.conversation.Prices;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.run.Machine;
import dev.heddle.store.Retention;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * What a node is told; complete and checked.
 *
 * @param workshop how commands run
 * @param types the job types of the file
 */
public record Config(StoreConfig store, PoolConfig pool, ServerConfig server, Workshop.Settings workshop,
        Types types, MoneyConfig money, Level logLevel) {

    /**
     * The name of a type whose jobs mean this machine's files: in a store of many machines each has its own.
     */
    public String ofThisMachine(String type) {
        return switch (store) {
            case StoreConfig.Sqlite _ -> type;
            case StoreConfig.Postgresql _ -> type + "@" + Machine.name();
        };
    }

    public Config with(PoolConfig changed) {
        return new Config(store, changed, server, workshop, types, money, logLevel);
    }

    public Config with(ServerConfig changed) {
        return new Config(store, pool, changed, workshop, types, money, logLevel);
    }

    public Config with(Workshop.Settings changed) {
        return new Config(store, pool, server, changed, types, money, logLevel);
    }

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

        /**
         * A database, for many nodes.
         *
         * @param startWithin how long a node waits for a server that is not up yet
         */
        record Postgresql(String url, @Nullable String user, @Nullable String password, String schema,
                int connections, Duration startWithin) implements StoreConfig {
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
     * What agents may spend.
     *
     * @param prices for agents that do not say what they cost
     * @param budgets those of the file
     */
    public record MoneyConfig(Prices prices, List<Budget> budgets) {}

    /**
     * Where the node listens.
     *
     * @param token null for a new one at each start
     * @param allowedHosts further names that requests may call it by
     * @param allowRun whether command lines are taken from other machines, too
     */
    public record ServerConfig(String host, int port, @Nullable String token, List<String> allowedHosts,
            boolean allowRun) {}
}
