package dev.heddle.server;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.http.Problem;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers requests that never reach a route, such as malformed ones, with problem details instead of Jetty's error
 * pages.
 */
final class JettyErrorHandler extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        Content.Sink.write(response, true, ControlJson.write(problem(response.getStatus())), callback);
        return true;
    }

    private static Problem problem(int status) {
        Kind kind = status == 413 ? Kind.TOO_LARGE : status < 500 ? Kind.INVALID : Kind.INTERNAL;
        Problem base = Problem.of(kind,
                kind == Kind.INTERNAL ? "internal error, a bug in Heddle; see the log of the node"
                        : "the server cannot process this HTTP request");
        return new Problem(base.type(), base.title(), status, base.kind(), base.detail());
    }
}
