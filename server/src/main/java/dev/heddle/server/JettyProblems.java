package dev.heddle.server;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.Problem;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers what never gets as far as a route, such as a request that is no HTTP, without Jetty's pages. */
final class JettyProblems extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        Content.Sink.write(response, true, ControlJson.write(problem(response.getStatus())), callback);
        return true;
    }

    private static Problem problem(int status) {
        Kind kind = status == 413 ? Kind.TOO_LARGE : status < 500 ? Kind.INVALID : Kind.INTERNAL;
        Problem like = Problem.of(kind, kind == Kind.INTERNAL
                ? "that is a bug in Heddle; the node's log has more"
                : "the request is no HTTP that this server takes");
        return new Problem(like.type(), like.title(), status, like.kind(), like.detail());
    }
}
