package dev.heddle.server;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import dev.heddle.control.NodeFiles;
import dev.heddle.pool.Pool;
import dev.heddle.server.ServerSettings.Limits;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a server; {@code docs/http-api.md} explains each. */
public final class HeddleServerBuilder {

    /** Where a node listens unless told otherwise. */
    public static final int DEFAULT_PORT = 7420;

    private final Pool pool;
    private final Set<String> allowedHosts = new LinkedHashSet<>();
    private final Set<String> hereOnly = new LinkedHashSet<>();
    private NodeFiles files = NodeFiles.NONE;
    private String host = "127.0.0.1";
    private int port = DEFAULT_PORT;
    private @Nullable String token;
    private Limits limits = Limits.standard();
    private @Nullable Consumer<Duration> onDrain;

    HeddleServerBuilder(Pool pool) {
        this.pool = pool;
    }

    /** Where to listen; anything but a loopback address needs a {@link #token}. */
    public HeddleServerBuilder host(String name) {
        this.host = name;
        return this;
    }

    /** 0 for any port that is free. */
    public HeddleServerBuilder port(int number) {
        this.port = number;
        return this;
    }

    /** What every request must show; a random one where it is not set. */
    public HeddleServerBuilder token(String secret) {
        this.token = secret;
        return this;
    }

    /** Further names under which browsers and scripts reach this server, such as that of a proxy. */
    public HeddleServerBuilder allowedHosts(List<String> names) {
        allowedHosts.addAll(names);
        return this;
    }

    /** Job types that only this machine may submit, such as those whose payload is a command line. */
    public HeddleServerBuilder hereOnly(String... types) {
        hereOnly.addAll(List.of(types));
        return this;
    }

    /** What the node has in files: the whole output of runs, the logs of workers. */
    public HeddleServerBuilder files(NodeFiles ofThisNode) {
        this.files = ofThisNode;
        return this;
    }

    /** The largest body in bytes, and the largest one of many jobs at once. */
    public HeddleServerBuilder bodyLimits(int one, int many) {
        this.limits = new Limits(one, many, limits.longestWait(), limits.eventsKept(), limits.eventReaders(),
                limits.blockedReader());
        return this;
    }

    /** The longest a question for the end of a job waits; whoever wants to wait longer asks again. */
    public HeddleServerBuilder longestWait(Duration time) {
        this.limits = new Limits(limits.body(), limits.bulkBody(), time, limits.eventsKept(),
                limits.eventReaders(), limits.blockedReader());
        return this;
    }

    /** How many events one can resume from, how many may follow them, how long a reader may take nothing. */
    public HeddleServerBuilder eventLimits(int kept, int readers, Duration blockedReader) {
        this.limits = new Limits(limits.body(), limits.bulkBody(), limits.longestWait(), kept, readers,
                blockedReader);
        return this;
    }

    /**
     * Lets people ask for the end of the node. The callback gets the longest time that it may take, and should see to it
     * that {@link Pool#drain} is called; it must not wait for that. Without one such questions are refused.
     */
    public HeddleServerBuilder onDrain(Consumer<Duration> owner) {
        this.onDrain = owner;
        return this;
    }

    /**
     * Looks at where one is going to listen before there is a pool to listen for.
     *
     * @throws IllegalArgumentException that says what is wrong with it
     */
    public static void check(String host, int port, @Nullable String token) {
        var _ = new ServerSettings(host, port, token, Set.of(), Set.of(), NodeFiles.NONE, Limits.standard(),
                null);
    }

    /** Listens until closed. The pool stays open then. */
    public HeddleServer start() {
        return HeddleServer.start(pool, new ServerSettings(host, port, token, allowedHosts, hereOnly,
                files, limits, onDrain));
    }
}
