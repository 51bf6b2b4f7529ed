package dev.heddle.cli.config;

import java.time.Duration;
import java.util.List;

import dev.heddle.cli.shell.LogFormat;
import dev.heddle.process.Isolation;
import org.slf4j.event.Level;

/**
 * All keys of {@code heddle.yaml}. {@code docs/reference/configuration.md} explains them; a test compares it with this
 * list.
 */
final class ConfigKeys {

    static final ConfigKey<String> SQLITE = new ConfigKey<>("store.sqlite", ValueType.TEXT, ".heddle/heddle.db");
    static final ConfigKey<String> URL = new ConfigKey<>("store.postgresql.url", ValueType.TEXT, "");
    static final ConfigKey<String> USER = new ConfigKey<>("store.postgresql.user", ValueType.TEXT, "");
    static final ConfigKey<String> PASSWORD = new ConfigKey<>("store.postgresql.password", ValueType.TEXT, "");
    static final ConfigKey<String> SCHEMA = new ConfigKey<>("store.postgresql.schema", ValueType.TEXT, "heddle");
    static final ConfigKey<Integer> CONNECTIONS = new ConfigKey<>("store.postgresql.connections", ValueType.count(1),
            "10");
    static final ConfigKey<Duration> START_WITHIN = new ConfigKey<>("store.postgresql.startWithin", ValueType.DURATION,
            "30s");
    static final ConfigKey<Integer> WORKERS = new ConfigKey<>("workers", ValueType.count(1), "4");
    static final ConfigKey<Integer> CLAIM_AHEAD = new ConfigKey<>("claimAhead", ValueType.count(0), "500");
    static final ConfigKey<Duration> TIMEOUT = new ConfigKey<>("timeout", ValueType.DURATION, "10m");
    static final ConfigKey<Duration> CLOSE_TIMEOUT = new ConfigKey<>("closeTimeout", ValueType.DURATION, "20s");
    static final ConfigKey<Duration> POLL_EVERY = new ConfigKey<>("pollEvery", ValueType.DURATION, "");
    static final ConfigKey<Integer> MAX_ERRORS = new ConfigKey<>("claimErrors.max", ValueType.count(1), "5");
    static final ConfigKey<Duration> MAX_BACKOFF = new ConfigKey<>("claimErrors.backoff", ValueType.DURATION, "30s");
    static final ConfigKey<Integer> MAX_CRASHES = new ConfigKey<>("recovery.maxCrashes", ValueType.count(1), "3");
    static final ConfigKey<Integer> AT_ONCE = new ConfigKey<>("recovery.atOnce", ValueType.count(1), "1");
    static final ConfigKey<Integer> WARM = new ConfigKey<>("recovery.warm", ValueType.count(0), "9");
    static final ConfigKey<Duration> WARM_EVERY = new ConfigKey<>("recovery.warmEvery", ValueType.DURATION, "1s");
    static final ConfigKey<Duration> SLOW_UNTIL = new ConfigKey<>("recovery.slowUntil", ValueType.DURATION, "15m");
    static final ConfigKey<Duration> AGE = new ConfigKey<>("retention.age", ValueType.DURATION, "7d");
    static final ConfigKey<Duration> CHECKPOINTS = new ConfigKey<>("retention.checkpoints", ValueType.DURATION, "30d");
    static final ConfigKey<String> HOST = new ConfigKey<>("server.host", ValueType.TEXT, "127.0.0.1");
    static final ConfigKey<Integer> PORT = new ConfigKey<>("server.port", ValueType.PORT, "7420");
    static final ConfigKey<String> TOKEN = new ConfigKey<>("server.token", ValueType.TEXT, "");
    static final ConfigKey<List<String>> ALLOWED_HOSTS = new ConfigKey<>("server.allowedHosts", ValueType.NAMES, "");
    static final ConfigKey<Level> LOG_LEVEL = new ConfigKey<>("log.level", ValueType.LEVEL, "info");
    static final ConfigKey<LogFormat> LOG_FORMAT = new ConfigKey<>("log.format", ValueType.LOG_FORMAT, "text");

    static final ConfigKey<Boolean> ALLOW_RUN = new ConfigKey<>("server.allowRun", ValueType.FLAG, "false");
    static final ConfigKey<Boolean> BEHIND_PROXY = new ConfigKey<>("server.behindProxy", ValueType.FLAG, "false");
    static final ConfigKey<List<String>> PROXY_ADDRESSES = new ConfigKey<>("server.proxy.addresses", ValueType.NAMES,
            "");
    static final ConfigKey<String> PROXY_USER = new ConfigKey<>("server.proxy.userHeader", ValueType.TEXT,
            "X-Forwarded-User");
    static final ConfigKey<String> PROXY_GROUPS = new ConfigKey<>("server.proxy.groupsHeader", ValueType.TEXT,
            "X-Forwarded-Groups");
    static final ConfigKey<List<String>> PROXY_VIEWERS = new ConfigKey<>("server.proxy.viewers", ValueType.NAMES, "");
    static final ConfigKey<List<String>> PROXY_OPERATORS = new ConfigKey<>("server.proxy.operators", ValueType.NAMES,
            "");
    static final ConfigKey<List<String>> PROXY_ADMINS = new ConfigKey<>("server.proxy.admins", ValueType.NAMES, "");
    static final ConfigKey<Duration> AUDIT = new ConfigKey<>("retention.audit", ValueType.DURATION, "90d");
    static final ConfigKey<String> TLS_CERTIFICATE = new ConfigKey<>("server.tls.certificate", ValueType.TEXT, "");
    static final ConfigKey<String> TLS_KEY = new ConfigKey<>("server.tls.key", ValueType.TEXT, "");
    static final ConfigKey<Integer> MAX_CONNECTIONS = new ConfigKey<>("server.maxConnections", ValueType.count(1), "");
    static final ConfigKey<Integer> MAX_PER_ADDRESS = new ConfigKey<>("server.maxConnectionsPerAddress",
            ValueType.count(1), "");
    static final ConfigKey<Duration> HEADER_TIMEOUT = new ConfigKey<>("server.headerTimeout", ValueType.DURATION,
            "10s");
    static final ConfigKey<Duration> BODY_TIMEOUT = new ConfigKey<>("server.bodyTimeout", ValueType.DURATION, "60s");
    static final ConfigKey<Boolean> ALLOW_PRIVATE = new ConfigKey<>("webhooks.allowPrivate", ValueType.FLAG, "false");
    static final ConfigKey<Duration> KILL_TIMEOUT = new ConfigKey<>("process.killTimeout", ValueType.DURATION, "10s");
    static final ConfigKey<Isolation> ISOLATION = new ConfigKey<>("process.isolation", ValueType.ISOLATION,
            "namespace");
    static final ConfigKey<Long> OUTPUT_LIMIT = new ConfigKey<>("process.outputLimit", ValueType.SIZE, "1GB");
    static final ConfigKey<Long> FREE_MEMORY = new ConfigKey<>("process.freeMemory", ValueType.SIZE, "512MB");
    static final ConfigKey<Long> FREE_DISK = new ConfigKey<>("process.freeDisk", ValueType.SIZE, "512MB");
    static final ConfigKey<String> ENV_PREFIX = new ConfigKey<>("process.envPrefix", ValueType.TEXT, "HEDDLE");
    static final ConfigKey<List<String>> SECRETS = new ConfigKey<>("process.secrets", ValueType.NAMES, "");
    static final ConfigKey<Boolean> PROTECT_NODE = new ConfigKey<>("process.protectNode", ValueType.FLAG, "true");
    static final ConfigKey<String> BASE_DIR = new ConfigKey<>("worktree.baseDir", ValueType.TEXT, ".heddle/worktrees");
    static final ConfigKey<Boolean> KEEP = new ConfigKey<>("worktree.keep", ValueType.FLAG, "false");
    static final ConfigKey<Boolean> CLEANUP = new ConfigKey<>("worktree.cleanupOnExit", ValueType.FLAG, "true");

    static final ConfigKey<Boolean> TRUST_REPOSITORIES = new ConfigKey<>("worktree.trustRepositories", ValueType.FLAG,
            "false");

    /**
     * Sections whose keys the user chooses: see {@link TypesConfig}, {@link ScheduleReader}, {@link MoneyReader},
     * {@link LimitsReader} and {@link RedactionReader}.
     */
    static final String TYPES = "types";
    static final String SCHEDULES = "schedules";
    static final String BUDGETS = "budgets";
    static final String PRICES = "prices";
    static final String LIMITS = "limits";
    static final String REDACTION = "redaction";
    static final List<String> SECTIONS = List.of(TYPES, SCHEDULES, BUDGETS, PRICES, LIMITS, REDACTION);

    static final List<ConfigKey<?>> ALL = List.of(SQLITE, URL, USER, PASSWORD, SCHEMA, CONNECTIONS, START_WITHIN,
            WORKERS, CLAIM_AHEAD, TIMEOUT, CLOSE_TIMEOUT, POLL_EVERY, MAX_ERRORS, MAX_BACKOFF, MAX_CRASHES, AT_ONCE,
            WARM, WARM_EVERY, SLOW_UNTIL, AGE, CHECKPOINTS, AUDIT, HOST, PORT, TOKEN, ALLOWED_HOSTS, ALLOW_RUN,
            BEHIND_PROXY,
            PROXY_ADDRESSES, PROXY_USER, PROXY_GROUPS, PROXY_VIEWERS, PROXY_OPERATORS, PROXY_ADMINS,
            TLS_CERTIFICATE, TLS_KEY, MAX_CONNECTIONS, MAX_PER_ADDRESS, HEADER_TIMEOUT, BODY_TIMEOUT, ALLOW_PRIVATE,
            KILL_TIMEOUT, ISOLATION, OUTPUT_LIMIT, FREE_MEMORY, FREE_DISK, ENV_PREFIX, SECRETS, PROTECT_NODE, BASE_DIR,
            KEEP, CLEANUP, TRUST_REPOSITORIES, LOG_LEVEL, LOG_FORMAT);

    private ConfigKeys() {}
}
