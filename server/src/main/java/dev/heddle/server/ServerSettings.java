package dev.heddle.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

import dev.heddle.control.NodeFiles;
import org.jspecify.annotations.Nullable;

/**
 * Everything a server can be told, checked before it starts. {@link HeddleServerBuilder} makes it.
 *
 * @param host where it listens; default 127.0.0.1
 * @param port 0 for any that is free; default 7420
 * @param token what every request must show; null for a random one, which only a loopback host may have
 * @param allowedHosts further names that a Host header may have; default none
 * @param hereOnly job types that only this machine may submit; default none
 * @param files what the node has in files
 * @param limits how much it takes
 * @param onDrain who is told when somebody wants the node to end; null where nobody may; default null
 */
record ServerSettings(String host, int port, @Nullable String token, Set<String> allowedHosts,
        Set<String> hereOnly, NodeFiles files, Limits limits, @Nullable Consumer<Duration> onDrain) {

    static final int LEAST_TOKEN = 16;

    /**
     * How much a server takes of anybody.
     *
     * @param body the largest body in bytes; default 4 MiB
     * @param bulkBody the largest body of many jobs at once; default 64 MiB
     * @param longestWait the longest a question for the end of a job waits; default 60 s
     * @param eventsKept how many events one can still resume from; default 10,000
     * @param eventReaders how many may follow the events at once; default 2,000
     * @param blockedReader how long a reader of events may take nothing before it is dropped; default 10 s
     */
    record Limits(int body, int bulkBody, Duration longestWait, int eventsKept, int eventReaders,
            Duration blockedReader) {

        static Limits standard() {
            return new Limits(4 << 20, 64 << 20, Duration.ofSeconds(60), 10_000, 2_000,
                    Duration.ofSeconds(10));
        }

        Limits {
            if (body < 1 || bulkBody < body || eventsKept < 10 || eventReaders < 1
                    || !longestWait.isPositive()
                    || !blockedReader.isPositive()) {
                throw new IllegalArgumentException(
                        "limits of the server must be positive, and bulkBody at least body: "
                                + "body " + body + ", bulkBody " + bulkBody + ", longestWait " + longestWait
                                + ", eventsKept " + eventsKept
                                + ", eventReaders " + eventReaders + ", blockedReader " + blockedReader);
            }
        }
    }

    ServerSettings {
        allowedHosts = Set.copyOf(allowedHosts);
        hereOnly = Set.copyOf(hereOnly);
        if (host.isBlank()) {
            throw new IllegalArgumentException("the host to listen on is empty; name one, such as 127.0.0.1");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port must be from 0 to 65535: " + port);
        }
        if (token != null
                && (token.length() < LEAST_TOKEN || !token.chars().allMatch(c -> c > ' ' && c < 127))) {
            throw new IllegalArgumentException("a token must have at least " + LEAST_TOKEN
                    + " printable ASCII characters and no blanks; 'openssl rand -hex 32' makes a good one");
        }
        if (token == null && !isLoopback(host)) {
            throw new IllegalArgumentException("to listen on " + host
                    + ", where others can reach it, the server needs a token that you chose; set one, or listen on 127.0.0.1");
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
