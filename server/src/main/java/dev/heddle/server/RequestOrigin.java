package dev.heddle.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells requests from this machine from those of others.
 *
 * @param behindProxy whether requests come through a proxy or a port forward, so that none counts as from here
 */
record RequestOrigin(boolean behindProxy) {

    /** Headers that proxies add. A proxy may run on this machine and forward requests from others. */
    private static final Pattern PROXY_HEADER = Pattern.compile("forwarded|via|x-real-ip|x-forwarded-.*|x-client-ip"
            + "|true-client-ip|cf-connecting-ip|x-original-.*", Pattern.CASE_INSENSITIVE);
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    /**
     * Returns whether the client is on this machine: the connection has a loopback address, no proxy has left a trace,
     * and the Host header has the name and the port that a client here would use. The Host header of a proxy or of a
     * port forward usually has others.
     */
    boolean isLocal(ApiRequest request) {
        var http = request.context().req();
        try {
            return !behindProxy && InetAddress.getByName(http.getRemoteAddr()).isLoopbackAddress()
                    && Collections.list(http.getHeaderNames()).stream()
                            .noneMatch(header -> PROXY_HEADER.matcher(header).matches())
                    && namesThisMachine(String.valueOf(http.getHeader("Host")), http.getLocalPort());
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static boolean namesThisMachine(String host, int port) {
        String suffix = ":" + port;
        return host.endsWith(suffix)
                && LOCAL_NAMES.contains(host.substring(0, host.length() - suffix.length()).toLowerCase(Locale.ROOT));
    }
}
