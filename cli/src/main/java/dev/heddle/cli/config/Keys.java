package dev.heddle.cli.config;

import java.time.Duration;
import java.util.List;

import dev.heddle.process.Isolation;
import org.slf4j.event.Level;

/** Every key there is; the documentation is held to this list. */
final class Keys {

    static final Key<String> SQLITE = new Key<>("store.sqlite", Kind.TEXT, ".heddle/heddle.db",
            "the SQLite file, for one node; a relative path starts at the directory of heddle.yaml");
    static final Key<String> URL = new Key<>("store.postgresql.url", Kind.TEXT, "",
            "the PostgreSQL database, for many nodes, such as jdbc:postgresql://host:5432/database");
    static final Key<String> USER = new Key<>("store.postgresql.user", Kind.TEXT, "",
            "who connects; the URL may say it too");
    static final Key<String> PASSWORD = new Key<>("store.postgresql.password", Kind.TEXT, "",
            "best as ${NAME}, from the environment");
    static final Key<String> SCHEMA = new Key<>("store.postgresql.schema", Kind.TEXT, "heddle",
            "the schema with Heddle's tables, made where it does not exist");
    static final Key<Integer> CONNECTIONS = new Key<>("store.postgresql.connections", Kind.count(1), "10",
            "the most connections of this node");
    static final Key<Duration> START_WITHIN = new Key<>("store.postgresql.startWithin", Kind.SPAN, "30s",
            "how long a node that starts waits for a server that is not up yet");
    static final Key<Integer> WORKERS = new Key<>("workers", Kind.count(1), "4",
            "jobs that run at once on this node");
    static final Key<Integer> CLAIM_AHEAD = new Key<>("claimAhead", Kind.count(0), "500",
            "the most jobs held beyond the free workers; what a crash can repeat");
    static final Key<Duration> TIMEOUT = new Key<>("timeout", Kind.SPAN, "10m",
            "the most one attempt may take, unless the submission says otherwise");
    static final Key<Duration> CLOSE_TIMEOUT = new Key<>("closeTimeout", Kind.SPAN, "20s",
            "the time running jobs have to finish or give way when the node closes");
    static final Key<Duration> POLL_EVERY = new Key<>("pollEvery", Kind.SPAN, "",
            "how often to look for jobs without being told; 0s for never; without it, from idle ever more rarely, to 5 s");
    static final Key<Integer> MAX_ERRORS = new Key<>("claimErrors.max", Kind.count(1), "5",
            "errors in a row from which on the claiming loop slows down");
    static final Key<Duration> MAX_BACKOFF = new Key<>("claimErrors.backoff", Kind.SPAN, "30s",
            "the longest it then waits before it tries again");
    static final Key<Integer> MAX_CRASHES = new Key<>("recovery.maxCrashes", Kind.count(0), "3",
            "nodes a job may take down before it is a dead letter");
    static final Key<Integer> AT_ONCE = new Key<>("recovery.atOnce", Kind.count(1), "1",
            "jobs of a dead node that start again at once");
    static final Key<Integer> WARM = new Key<>("recovery.warm", Kind.count(0), "9",
            "jobs that follow those, one at a time");
    static final Key<Duration> WARM_EVERY = new Key<>("recovery.warmEvery", Kind.SPAN, "1s",
            "the time between two of those");
    static final Key<Duration> SLOW_UNTIL = new Key<>("recovery.slowUntil", Kind.SPAN, "15m",
            "all other jobs of a dead node are spread evenly until then");
    static final Key<Duration> AGE = new Key<>("retention.age", Kind.SPAN, "7d",
            "completed and cancelled jobs older than this are deleted; dead letters stay until purged");
    static final Key<Duration> CHECKPOINTS = new Key<>("retention.checkpoints", Kind.SPAN, "30d",
            "checkpoints and steps of ended jobs older than this are deleted");
    static final Key<String> HOST = new Key<>("server.host", Kind.TEXT, "127.0.0.1",
            "the address to listen on; any but loopback needs a token");
    static final Key<Integer> PORT = new Key<>("server.port", Kind.PORT, "7420",
            "the port to listen on; 0 for any that is free");
    static final Key<String> TOKEN = new Key<>("server.token", Kind.TEXT, "",
            "what requests must show; without one, a new one at each start, kept in .heddle/token");
    static final Key<List<String>> ALLOWED_HOSTS = new Key<>("server.allowedHosts", Kind.NAMES, "",
            "further names that requests may call the node by, such as that of a proxy; separated by commas");
    static final Key<Level> LOG_LEVEL = new Key<>("log.level", Kind.LEVEL, "info",
            "what the node logs: error, warn, info or debug");

    static final Key<Boolean> ALLOW_RUN = new Key<>("server.allowRun", Kind.YES_OR_NO, "false",
            "whether command lines (heddle run) are also taken from other machines");
    static final Key<Duration> KILL_TIMEOUT = new Key<>("process.killTimeout", Kind.SPAN, "10s",
            "the time a process has to end after SIGTERM, before SIGKILL");
    static final Key<Isolation> ISOLATION = new Key<>("process.isolation", Kind.ISOLATION, "namespace",
            "how firmly processes are held, at most: namespace, session or tree");
    static final Key<Long> OUTPUT_LIMIT = new Key<>("process.outputLimit", Kind.SIZE, "1GB",
            "the most that one attempt may write; what is over it is left out, with a mark");
    static final Key<Long> FREE_MEMORY = new Key<>("process.freeMemory", Kind.SIZE, "512MB",
            "with less free memory no process is started");
    static final Key<Long> FREE_DISK = new Key<>("process.freeDisk", Kind.SIZE, "512MB",
            "with less free disk space no process is started");
    static final Key<String> ENV_PREFIX = new Key<>("process.envPrefix", Kind.TEXT, "HEDDLE",
            "what the names of the variables begin with that processes are told");
    static final Key<List<String>> SECRETS = new Key<>("process.secrets", Kind.NAMES, "",
            "patterns of variables that processes do not inherit, instead of the usual ones; separated by commas");
    static final Key<String> BASE_DIR = new Key<>("worktree.baseDir", Kind.TEXT, ".heddle/worktrees",
            "where worktrees are made; a relative path starts at the directory of heddle.yaml");
    static final Key<Boolean> KEEP = new Key<>("worktree.keep", Kind.YES_OR_NO, "false",
            "leaves every worktree as its job left it, for people to look into");
    static final Key<Boolean> CLEANUP = new Key<>("worktree.cleanupOnExit", Kind.YES_OR_NO, "true",
            "removes spare worktrees when the node closes");

    /** Sections with names that are the user's: {@link Types}, {@link MoneySections}. */
    static final String TYPES = "types";
    static final String BUDGETS = "budgets";
    static final String PRICES = "prices";
    static final List<String> SECTIONS = List.of(TYPES, BUDGETS, PRICES);

    static final List<Key<?>> ALL = List.of(SQLITE, URL, USER, PASSWORD, SCHEMA, CONNECTIONS, START_WITHIN,
            WORKERS,
            CLAIM_AHEAD, TIMEOUT, CLOSE_TIMEOUT, POLL_EVERY, MAX_ERRORS, MAX_BACKOFF, MAX_CRASHES, AT_ONCE,
            WARM, WARM_EVERY, SLOW_UNTIL, AGE, CHECKPOINTS, HOST, PORT, TOKEN, ALLOWED_HOSTS,
            ALLOW_RUN, KILL_TIMEOUT, ISOLATION, OUTPUT_LIMIT, FREE_MEMORY, FREE_DISK, ENV_PREFIX, SECRETS,
            BASE_DIR, KEEP,
            CLEANUP, LOG_LEVEL);

    private Keys() {}
}
