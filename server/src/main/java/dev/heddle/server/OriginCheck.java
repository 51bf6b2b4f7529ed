package dev.heddle.server;

import java.util.Set;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import io.javalin.http.Context;

/** Keeps pages of other sites from acting in the name of a browser that is logged in (CSRF). */
final class OriginCheck {

    private static final Set<String> SAFE = Set.of("GET", "HEAD");

    private OriginCheck() {}

    /** Refuses a request of a browser session that changes something, unless a page of this server has sent it. */
    static void requireSameOrigin(Context request) {
        String origin = request.header("Origin");
        boolean same = origin != null
                && origin.equalsIgnoreCase(request.scheme() + "://" + request.header("Host"));
        if (!SAFE.contains(request.req().getMethod()) && !same) {
            throw new ControlException(Kind.DENIED,
                    "a browser session may change something only from pages of this server");
        }
    }

    /**
     * Refuses a request that changes something and that a page of another site has sent through a proxy. The proxy may
     * speak TLS, so the scheme does not count. Programs send no origin, and are admitted.
     */
    static void requireNoOtherOrigin(Context request) {
        String origin = request.header("Origin");
        String site = request.header("Sec-Fetch-Site");
        String host = String.valueOf(request.header("Host"));
        boolean foreign = origin != null ? !origin.replaceFirst("^https?://", "").equalsIgnoreCase(host)
                : site != null && !Set.of("same-origin", "none").contains(site);
        if (!SAFE.contains(request.req().getMethod()) && foreign) {
            throw new ControlException(Kind.DENIED,
                    "a browser may change something only from pages of this server; if this is one, let the proxy pass"
                            + " the Host header on");
        }
    }
}
