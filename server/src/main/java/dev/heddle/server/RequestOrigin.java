package dev.heddle.server;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Tells requests from this machine from those of others. */
final class RequestOrigin {

    /** Headers that proxies add. A proxy may run on this machine and forward requests from others. */
    private static final List<String> PROXY_HEADERS = List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host",
            "X-Real-IP", "Via");

    private RequestOrigin() {}

    static boolean isLocal(ApiRequest request) {
        var http = request.context().req();
        try {
            return InetAddress.getByName(http.getRemoteAddr()).isLoopbackAddress()
                    && PROXY_HEADERS.stream().allMatch(header -> http.getHeader(header) == null);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
