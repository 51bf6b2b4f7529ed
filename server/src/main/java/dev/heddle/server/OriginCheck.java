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
}
