package dev.heddle.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.heddle.control.Redaction;
import dev.heddle.control.local.NodeFiles;
import dev.heddle.control.local.SubmissionGate;
import dev.heddle.job.JobCaller;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server, checked before it starts. {@link HeddleServerBuilder} creates them.
 *
 * @param address where the server listens
 * @param access who may do what
 * @param files reads the files of the node; default none
 * @param limits the limits for requests and events
 * @param connections the limits for connections
 * @param redaction what is masked in answers and events; default {@link Redaction#STANDARD}
 * @param onDrain called if a client asks the node to drain; null if clients may not; default null
 */
record ServerSettings(Address address, Access access, NodeFiles files, Limits limits, ConnectionLimits connections,
        Redaction redaction, @Nullable Consumer<Duration> onDrain) {

    /**
     * Where a server listens.
     *
     * @param host the address to listen on; default 127.0.0.1
     * @param port the port to listen on, 0 for any free port; default 7420
     * @param tls the certificate and its key; null for HTTP without TLS; default null
     */
    record Address(String host, int port, @Nullable TlsFiles tls) {

        Address {
            if (host.isBlank()) {
                throw new IllegalArgumentException("the host to listen on is empty; set one, such as 127.0.0.1");
            }
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("port must be from 0 to 65535: " + port);
            }
        }
    }

    /**
     * Who may do what.
     *
     * @param token the token that requests must have; null for a random one, which only a loopback host may use
     * @param allowedHosts additional names that a Host header may have; default none
     * @param others decides which jobs clients on other machines may submit; default none with a command line
     * @param behindProxy whether requests come through a proxy or a port forward, so that the address of a connection
     *     does not tell where its client is; default false
     * @param jobs finds the job whose process has a token; default none
     * @param proxies which proxies may say who their users are; default none
     * @param auditRetention how long the audit log is kept; default 90 days
     */
    record Access(@Nullable String token, Set<String> allowedHosts, SubmissionGate others, boolean behindProxy,
            Function<String, Optional<JobCaller>> jobs, ProxyTrust proxies, Duration auditRetention) {

        Access {
            dev.heddle.job.Limits.notNegative("the retention of the audit log", auditRetention);
            allowedHosts = Set.copyOf(allowedHosts);
            String weakness = token == null ? null : TokenStrength.weakness(token);
            if (weakness != null) {
                throw new IllegalArgumentException(
                        "the token " + weakness + "; create one with 'openssl rand -hex 32'");
            }
        }
    }

    /**
     * The limits for requests and events.
     *
     * @param body the largest request body in bytes; default 4 MiB
     * @param bulkBody the largest request body with many jobs in bytes; default 64 MiB
     * @param longestWait the longest that a request waits for the end of a job or for output; default 60 s
     * @param eventsKept the number of events that readers can resume from; default 10,000
     * @param eventReaders the most readers that follow the events at once; default 2,000
     * @param blockedReader how long a reader of events may not read before it is dropped; default 10 s
     */
    record Limits(int body, int bulkBody, Duration longestWait, int eventsKept, int eventReaders,
            Duration blockedReader) {

        static Limits standard() {
            return new Limits(4 << 20, 64 << 20, Duration.ofSeconds(60), 10_000, 2_000, Duration.ofSeconds(10));
        }

        Limits {
            if (body < 1 || bulkBody < body || eventsKept < 10 || eventReaders < 1 || !longestWait.isPositive()
                    || !blockedReader.isPositive()) {
                throw new IllegalArgumentException(
                        "the limits of the server must be positive, eventsKept at least 10 and bulkBody at least body: "
                                + "body " + body + ", bulkBody " + bulkBody + ", longestWait " + longestWait
                                + ", eventsKept " + eventsKept + ", eventReaders " + eventReaders + ", blockedReader "
                                + blockedReader);
            }
        }
    }

    ServerSettings {
        if (access.token == null && !isLoopback(address.host)) {
            throw new IllegalArgumentException("the server needs a token to listen on " + address.host
                    + ", which other machines can reach; set a token, or listen on 127.0.0.1");
        }
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no such host to listen on: '" + host + "'", e);
        }
    }
}
