package dev.heddle.server;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.http.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers failures with problem details. A bug is logged; the response says only that there was one. */
final class ProblemResponses {

    private static final Logger LOG = LoggerFactory.getLogger(HeddleServer.class);

    private ProblemResponses() {}

    static void install(RoutesConfig routes) {
        routes.exception(ControlException.class, ProblemResponses::answer);
        routes.exception(MethodNotAllowedResponse.class,
                (_, context) -> answer(new ControlException(Kind.METHOD_NOT_ALLOWED,
                        "this path does not support the method " + context.req().getMethod()), context));
        routes.exception(HttpResponseException.class,
                (e, context) -> answer(new ControlException(
                        e.getStatus() == 404 ? Kind.NOT_FOUND : e.getStatus() < 500 ? Kind.INVALID : Kind.INTERNAL,
                        e.getStatus() == 404 ? "there is nothing at this path; see /api/v1/openapi.json for the API"
                                : String.valueOf(e.getMessage())),
                        context));
        routes.exception(Exception.class, (e, context) -> {
            LOG.error("Could not answer {} {}", context.req().getMethod(), context.endpoint().path, e);
            answer(new ControlException(Kind.INTERNAL, "internal error, a bug in Heddle; see the log of the node"),
                    context);
        });
    }

    private static void answer(ControlException e, Context context) {
        if (e.kind() == Kind.INTERNAL) {
            LOG.error("Could not answer {}", context.req().getMethod(), e);
        }
        Problem problem = Problem.of(e);
        if (e.kind() == Kind.UNAUTHENTICATED) {
            context.header("WWW-Authenticate", "Bearer realm=\"heddle\"");
        }
        context.status(problem.status()).contentType(Problem.MEDIA_TYPE).result(ControlJson.bytes(problem));
    }
}
