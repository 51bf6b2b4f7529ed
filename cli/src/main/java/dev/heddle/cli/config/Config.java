package dev.heddle.cli.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.access.Role;
import dev.heddle.budget.Budget;
import dev.heddle.cli.shell.LogFormat;
import dev.heddle.command.CommandRuntime;
import dev.heddle.control.Redaction;
import dev.heddle.conversation.Prices;
import dev.heddle.limit.Limit;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.run.Machine;
import dev.heddle.schedule.Schedule;
import dev.heddle.store.Retention;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The complete, validated configuration of a node.
 *
 * @param workshop how commands run
 * @param types the job types of the file
 * @param schedules the schedules of the file
 * @param privateWebhooks whether webhooks may lead to addresses that are not public
 * @param log what the node logs
 * @param protectNode whether the node hides its memory and environment from processes of its user
 */
public record Config(StoreConfig store, PoolConfig pool, ServerConfig server, CommandRuntime.Settings workshop,
        TypesConfig types, List<Schedule> schedules, MoneyConfig money, boolean privateWebhooks, LogConfig log,
        boolean protectNode) {

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
        return new Config(store, changed, server, workshop, types, schedules, money, privateWebhooks, log,
                protectNode);
    }

    /** Returns a copy with other server settings. */
    public Config with(ServerConfig changed) {
        return new Config(store, pool, changed, workshop, types, schedules, money, privateWebhooks, log,
                protectNode);
    }

    /** Returns a copy with other settings for commands. */
    public Config with(CommandRuntime.Settings changed) {
        return new Config(store, pool, server, changed, types, schedules, money, privateWebhooks, log,
                protectNode);
    }

    /** Returns the configuration of a node that serves one command: quiet, on a free loopback port, without types. */
    public Config temporary(PoolConfig poolOfCommand, MoneyConfig moneyOfCommand) {
        return new Config(store, poolOfCommand, ServerConfig.temporary(server),
                workshop, TypesConfig.NONE, List.of(), moneyOfCommand, privateWebhooks,
                new LogConfig(Level.WARN, LogFormat.TEXT), false);
    }

    /** Returns a copy with another format of the log. */
    public Config with(LogFormat format) {
        return new Config(store, pool, server, workshop, types, schedules, money, privateWebhooks,
                new LogConfig(log.level, format), protectNode);
    }

    /**
     * What a node logs.
     *
     * @param format how it writes to standard error; the files have lines of text
     */
    public record LogConfig(Level level, LogFormat format) {}

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
            Recovering recovering, Retention retention, List<Limit> limits) {

        /** Returns a copy with another number of workers. */
        public PoolConfig withWorkers(int count) {
            return new PoolConfig(count, timeout, closeTimeout, claiming, recovering, retention, limits);
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
     * @param guard what protects the listener
     * @param redaction what is masked in everything that people are shown
     */
    public record ServerConfig(String host, int port, @Nullable String token, List<String> allowedHosts,
            boolean allowRun, ListenerGuard guard, Redaction redaction) {

        /** Returns the settings of a node that serves one command, on a free loopback port. */
        static ServerConfig temporary(ServerConfig server) {
            return new ServerConfig("127.0.0.1", 0, null, List.of(), server.allowRun,
                    new ListenerGuard(false, null, server.guard.maxConnections, server.guard.maxPerAddress,
                            server.guard.headerTimeout, server.guard.bodyTimeout, null, server.guard.auditRetention),
                    server.redaction);
        }

        /** Returns a copy that listens elsewhere. */
        public ServerConfig at(String otherHost, int otherPort) {
            return new ServerConfig(otherHost, otherPort, token, allowedHosts, allowRun, guard, redaction);
        }
    }

    /**
     * What protects the listener of the HTTP server.
     *
     * @param behindProxy whether requests come through a proxy, so that no client counts as being on this machine
     * @param tls certificate and key; null for HTTP without TLS
     * @param maxConnections the most connections at once; null for the default of the server
     * @param maxPerAddress the most connections from one address; null for the default of the server
     * @param proxy the proxies that log in users; null for none
     * @param auditRetention how long the audit log is kept
     */
    public record ListenerGuard(boolean behindProxy, @Nullable TlsConfig tls, @Nullable Integer maxConnections,
            @Nullable Integer maxPerAddress, Duration headerTimeout, Duration bodyTimeout,
            @Nullable ProxyConfig proxy, Duration auditRetention) {}

    /**
     * Proxies that log in users.
     *
     * @param addresses addresses or networks of the proxies
     * @param groups the groups that have each role
     */
    public record ProxyConfig(List<String> addresses, String userHeader, String groupsHeader,
            Map<Role, Set<String>> groups) {}

    /** PEM files with the certificate of the server and its private key. */
    public record TlsConfig(Path certificate, Path key) {}
}
