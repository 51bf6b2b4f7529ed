package dev.heddle.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.heddle.access.Role;
import dev.heddle.control.Redaction;
import dev.heddle.control.local.AuditLog;
import dev.heddle.control.local.NodeFiles;
import dev.heddle.control.local.SubmissionGate;
import dev.heddle.job.JobCaller;
import dev.heddle.pool.Pool;
import dev.heddle.server.ServerSettings.Access;
import dev.heddle.server.ServerSettings.Address;
import dev.heddle.server.ServerSettings.Limits;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/** Collects the settings of a server. {@code docs/reference/http-api.md} describes them. */
public final class HeddleServerBuilder {

    /** The default port of a node. */
    public static final int DEFAULT_PORT = 7420;

    private final Pool pool;
    private final Set<String> allowedHosts = new LinkedHashSet<>();
    private final Set<String> localOnly = new LinkedHashSet<>();
    private boolean allowRun;
    private NodeFiles files = NodeFiles.NONE;
    private String host = "127.0.0.1";
    private int port = DEFAULT_PORT;
    private @Nullable String token;
    private @Nullable TlsFiles tls;
    private boolean behindProxy;
    private Function<String, Optional<JobCaller>> jobs = _ -> Optional.empty();
    private ProxyTrust proxies = ProxyTrust.NONE;
    private Duration auditRetention = AuditLog.RETENTION;
    private Limits limits = Limits.standard();
    private ConnectionLimits connections = ConnectionLimits.standard();
    private Redaction redaction = Redaction.STANDARD;
    private @Nullable Consumer<Duration> onDrain;

    HeddleServerBuilder(Pool pool) {
        this.pool = pool;
    }

    /** Sets the address to listen on; default 127.0.0.1. An address that is not loopback needs a {@link #token}. */
    public HeddleServerBuilder host(String name) {
        this.host = requireNonNull(name, "name");
        return this;
    }

    /** Sets the port to listen on; default {@value #DEFAULT_PORT}, 0 for any free port. */
    public HeddleServerBuilder port(int number) {
        this.port = number;
        return this;
    }

    /**
     * Serves HTTPS instead of HTTP. The files are read when the server starts.
     *
     * @param certificate a PEM file with the certificate of the server, followed by those of intermediate authorities
     * @param key a PEM file with the private key in PKCS #8, not encrypted
     */
    public HeddleServerBuilder tls(Path certificate, Path key) {
        this.tls = new TlsFiles(requireNonNull(certificate, "certificate"), requireNonNull(key, "key"));
        return this;
    }

    /** Sets the token that requests must have; default a random one. Weak tokens are refused. */
    public HeddleServerBuilder token(String secret) {
        this.token = requireNonNull(secret, "secret");
        return this;
    }

    /** Adds names that a Host header may have, such as that of a proxy in front of this server. */
    public HeddleServerBuilder allowedHosts(List<String> names) {
        allowedHosts.addAll(names);
        return this;
    }

    /**
     * Allows clients on other machines to submit command lines for this one, which are jobs of the types {@code run}
     * and {@code batch}; default false.
     */
    public HeddleServerBuilder allowRun(boolean allowed) {
        this.allowRun = allowed;
        return this;
    }

    /** Adds job types that only clients on this machine may submit, in addition to {@code run} and {@code batch}. */
    public HeddleServerBuilder localOnly(String... types) {
        localOnly.addAll(List.of(types));
        return this;
    }

    /**
     * States that requests come through a proxy or a port forward. Then no client counts as being on this machine, and
     * {@linkplain #localOnly local-only} types are refused. Requests with the headers of a proxy are recognized without
     * this.
     */
    public HeddleServerBuilder behindProxy() {
        this.behindProxy = true;
        return this;
    }

    /**
     * Admits the processes of jobs to the endpoints for them. The function finds the job whose process has a token; the
     * {@code find} of the {@code JobTokens} in heddle-process is one.
     */
    public HeddleServerBuilder jobTokens(Function<String, Optional<JobCaller>> finder) {
        this.jobs = requireNonNull(finder, "finder");
        return this;
    }

    /**
     * Lets proxies log in their users. A request from one of their addresses that names a user in the
     * {@linkplain #proxyHeaders header} is made by that user, with the highest role of their groups. From any other
     * address, the headers mean nothing.
     *
     * @param addresses addresses or networks of the proxies, such as {@code 10.0.0.7} or {@code 10.0.0.0/8}
     * @param groups the groups that have each role; {@code *} stands for every user
     * @throws IllegalArgumentException if an address is invalid, or no group has a role
     */
    public HeddleServerBuilder proxyUsers(List<String> addresses, Map<Role, Set<String>> groups) {
        this.proxies = new ProxyTrust(addresses.stream().map(AddressRange::parse).toList(), proxies.userHeader(),
                proxies.groupsHeader(), groups);
        return this;
    }

    /**
     * Sets the headers in which a proxy names a user and their groups, separated by commas; default
     * {@code X-Forwarded-User} and {@code X-Forwarded-Groups}.
     */
    public HeddleServerBuilder proxyHeaders(String user, String groups) {
        this.proxies = new ProxyTrust(proxies.proxies(), requireNonNull(user, "user"),
                requireNonNull(groups, "groups"), proxies.groups());
        return this;
    }

    /** Sets how long the audit log is kept; default 90 days. It never has more than about a million entries. */
    public HeddleServerBuilder auditRetention(Duration time) {
        this.auditRetention = requireNonNull(time, "time");
        return this;
    }

    /** Sets the reader of the files of the node: output of runs, logs of workers, conversations of agents. */
    public HeddleServerBuilder files(NodeFiles filesOfThisNode) {
        this.files = requireNonNull(filesOfThisNode, "filesOfThisNode");
        return this;
    }

    /** Sets the largest request body in bytes, for one job and for many jobs; default 4 MiB and 64 MiB. */
    public HeddleServerBuilder bodyLimits(int one, int many) {
        this.limits = new Limits(one, many, limits.longestWait(), limits.eventsKept(), limits.eventReaders(),
                limits.blockedReader());
        return this;
    }

    /** Sets the longest time that a request waits for the end of a job or for output; default 60 s. */
    public HeddleServerBuilder longestWait(Duration time) {
        this.limits = new Limits(limits.body(), limits.bulkBody(), time, limits.eventsKept(), limits.eventReaders(),
                limits.blockedReader());
        return this;
    }

    /**
     * Sets the most connections at once.
     *
     * @param total default 4,096, but no more than half of the files that the process may open
     * @param perAddress the most from one address; default three quarters of the total
     */
    public HeddleServerBuilder maxConnections(int total, int perAddress) {
        this.connections = new ConnectionLimits(total, perAddress, connections.headerTimeout(),
                connections.bodyTimeout());
        return this;
    }

    /** Returns how many connections there may be at once by default, which depends on the limits of the process. */
    public static int defaultMaxConnections() {
        return ConnectionLimits.standard().total();
    }

    /** Sets how long the header and the body of a request may take to arrive; default 10 s and 60 s. */
    public HeddleServerBuilder requestTimeouts(Duration header, Duration body) {
        this.connections = new ConnectionLimits(connections.total(), connections.perAddress(), header, body);
        return this;
    }

    /**
     * Sets the limits for events.
     *
     * @param kept the number of events that readers can resume from; default 10,000
     * @param readers the most readers at once; default 2,000
     * @param blockedReader how long a reader may not read before it is dropped; default 10 s
     */
    public HeddleServerBuilder eventLimits(int kept, int readers, Duration blockedReader) {
        this.limits = new Limits(limits.body(), limits.bulkBody(), limits.longestWait(), kept, readers, blockedReader);
        return this;
    }

    /**
     * Allows clients to drain the node. The callback gets the longest time that the drain may take. It must arrange for
     * {@link Pool#closeWithin} to be called, and return without waiting for it. Without a callback, drain requests are
     * refused.
     */
    public HeddleServerBuilder onDrain(Consumer<Duration> callback) {
        this.onDrain = requireNonNull(callback, "callback");
        return this;
    }

    /**
     * Sets what is masked in answers and events; default {@link Redaction#STANDARD}. A request with {@code reveal=true}
     * gets everything.
     */
    public HeddleServerBuilder redaction(Redaction rules) {
        this.redaction = requireNonNull(rules, "rules");
        return this;
    }

    /**
     * Checks the settings of the listener before there is a pool.
     *
     * @throws IllegalArgumentException if the host, the port or the token is invalid
     */
    public static void check(String host, int port, @Nullable String token) {
        var _ = new ServerSettings(new Address(host, port, null),
                new Access(token, Set.of(), SubmissionGate.local(), false, _ -> Optional.empty(),
                        ProxyTrust.NONE, AuditLog.RETENTION),
                NodeFiles.NONE, Limits.standard(), ConnectionLimits.standard(), Redaction.NONE,
                null);
    }

    /**
     * Starts the server, which listens until it is closed. Closing it does not close the pool.
     *
     * @throws IllegalArgumentException if a setting is invalid, or a file of {@link #tls} cannot be used
     */
    public HeddleServer start() {
        return HeddleServer.start(pool,
                new ServerSettings(new Address(host, port, tls),
                        new Access(token, allowedHosts, SubmissionGate.remote(localOnly, allowRun), behindProxy, jobs,
                                proxies, auditRetention),
                        files,
                        limits, connections, redaction, onDrain));
    }
}
