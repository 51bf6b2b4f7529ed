package dev.heddle.cli.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.heddle.budget.Budget;
import dev.heddle.command.CommandRuntime;
import dev.heddle.conversation.Prices;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.run.Machine;
import dev.heddle.store.Retention;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The complete, validated configuration of a node.
 *
 * @param workshop how commands run
 * @param types the job types of the file
 * @param protectNode whether the node hides its memory and environment from processes of its user
 */
public record Config(StoreConfig store, PoolConfig pool, ServerConfig server, CommandRuntime.Settings workshop,
        TypesConfig types, MoneyConfig money, Level logLevel, boolean protectNode) {

    /**
     * Returns the name of a type whose jobs use local files. In a store that machines share, each machine has its own.
     */
    public String localType(String type) {
        return switch (store) {
            case StoreConfig.Sqlite _ -> type;
            case StoreConfig.Postgresql _ -> type + "@" + Machine.name();
        };
    }

    /** Returns a copy with other pool settings. */
    public Config with(PoolConfig changed) {
        return new Config(store, changed, server, workshop, types, money, logLevel, protectNode);
    }

    /** Returns a copy with other server settings. */
    public Config with(ServerConfig changed) {
        return new Config(store, pool, changed, workshop, types, money, logLevel, protectNode);
    }

    /** Returns a copy with other settings for commands. */
    public Config with(CommandRuntime.Settings changed) {
        return new Config(store, pool, server, changed, types, money, logLevel, protectNode);
    }

    /** Returns the configuration of a node that serves one command: quiet, on a free loopback port, without types. */
    public Config temporary(PoolConfig poolOfCommand, MoneyConfig moneyOfCommand) {
        return new Config(store, poolOfCommand, new ServerConfig("127.0.0.1", 0, null, List.of(), server.allowRun()),
                workshop, TypesConfig.NONE, moneyOfCommand, Level.WARN, false);
    }

    /** Where jobs are stored. */
    public sealed interface StoreConfig {

        /** Returns the name of the store in messages. */
        String label();

        /** A SQLite file, for one node. */
        record Sqlite(Path file) implements StoreConfig {
            @Override
            public String label() {
                return file.toString();
            }
        }

        /**
         * A PostgreSQL database, for many nodes.
         *
         * @param startWithin how long a node waits for a server that is still starting
         */
        record Postgresql(String url, @Nullable String user, @Nullable String password, String schema, int connections,
                Duration startWithin) implements StoreConfig {
            /** Returns the URL without its query, which may contain a password. */
            @Override
            public String label() {
                return url.replaceFirst("\\?.*", "");
            }
        }
    }

    /** Settings of the worker pool. */
    public record PoolConfig(int workers, Duration timeout, Duration closeTimeout, Claiming claiming,
            Recovering recovering, Retention retention) {

        /** Returns a copy with another number of workers. */
        public PoolConfig withWorkers(int count) {
            return new PoolConfig(count, timeout, closeTimeout, claiming, recovering, retention);
        }
    }

    /**
     * Prices and spending limits.
     *
     * @param prices prices for agents that do not report their cost
     * @param budgets budgets of the file
     */
    public record MoneyConfig(Prices prices, List<Budget> budgets) {}

    /**
     * Settings of the HTTP server.
     *
     * @param token bearer token; null for a new one at each start
     * @param allowedHosts additional host names accepted in requests
     * @param allowRun whether to run programs for other machines too
     */
    public record ServerConfig(String host, int port, @Nullable String token, List<String> allowedHosts,
            boolean allowRun) {}
}
