package dev.heddle.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

import dev.heddle.access.AccessToken;
import dev.heddle.access.Actor;
import dev.heddle.access.AuditEntry.Outcome;
import dev.heddle.access.Caller;
import dev.heddle.access.Role;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.local.AuditLog;
import dev.heddle.job.JobCaller;
import io.javalin.http.Context;

/**
 * Finds out who sends a request: the holder of the node's own token or of a named one, the process of a job, a user
 * whom a trusted proxy has logged in, or a browser whose session was started with a one-time code.
 */
final class Authenticator {

    private static final Pattern USER = Pattern.compile("[\\x21-\\x7e]{1,100}");

    private final byte[] tokenDigest;
    private final NamedTokens tokens;
    private final Logins logins;
    private final String cookie;
    private final FailedLogins failures;
    private final Function<String, Optional<JobCaller>> jobs;
    private final ProxyTrust proxies;
    private final AuditLog audit;
    private final InstantSource clock;

    /** Creates an authenticator that finds the jobs of the tokens of processes by the given function. */
    Authenticator(String token, NamedTokens tokens, Logins logins, String cookie, FailedLogins failures,
            Function<String, Optional<JobCaller>> jobs, ProxyTrust proxies, AuditLog audit, InstantSource clock) {
        this.proxies = proxies;
        this.audit = audit;
        this.tokenDigest = digest(token);
        this.tokens = tokens;
        this.logins = logins;
        this.cookie = cookie;
        this.failures = failures;
        this.jobs = jobs;
        this.clock = clock;
    }

    /** Returns who sends a request, and throws a {@link ControlException} if nobody knows. */
    Identity identify(Context request) {
        String authorization = request.header("Authorization");
        if (authorization != null) {
            return ofToken(authorization, request);
        }
        Optional<Caller> user = proxies.user(request);
        if (user.isPresent()) {
            OriginCheck.requireNoOtherOrigin(request);
            return new Identity.Known(user.get());
        }
        return ofSession(request);
    }

    private String address(Context request) {
        return proxies.clientAddress(request);
    }

    /** Returns who has the browser whose session has just been started. */
    Actor actor(Context request, String session) {
        Caller caller = logins.caller(session);
        return (caller == null ? Actor.OF_NODE : caller.actor()).from(address(request));
    }

    private Identity ofSession(Context request) {
        String session = request.cookie(cookie);
        Caller caller = session == null ? null : logins.caller(session);
        if (caller == null) {
            throw new ControlException(Kind.UNAUTHENTICATED,
                    "the token is missing; send 'Authorization: Bearer TOKEN'");
        }
        OriginCheck.requireSameOrigin(request);
        return new Identity.Known(new Caller(caller.actor().from(address(request)), caller.role()));
    }

    private Identity ofToken(String authorization, Context request) {
        boolean bearer = authorization.regionMatches(true, 0, "Bearer ", 0, 7);
        String given = bearer ? authorization.substring(7).strip() : "";
        Optional<JobCaller> job = jobs.apply(given);
        if (job.isPresent()) {
            return new Identity.OfJob(job.get(), new Actor(Actor.Kind.JOB, String.valueOf(job.get().job().id()),
                    address(request)));
        }
        // Compares in constant time, which reveals nothing about how much of a wrong token was right.
        if (MessageDigest.isEqual(digest(given), tokenDigest) && bearer) {
            return new Identity.Known(new Caller(holderOfNodeToken(request).from(address(request)), Role.ADMIN));
        }
        AccessToken token = tokens.find(given).orElseThrow(() -> wrongToken(request));
        if (token.isExpired(clock.instant())) {
            throw refusal(request, "the token '" + token.name() + "' has expired; create another one with"
                    + " 'heddle token create'");
        }
        tokens.used(token, clock.instant());
        return new Identity.Known(
                new Caller(new Actor(Actor.Kind.TOKEN, token.name(), address(request)), token.role()));
    }

    /** Commands say who runs them. Who has the node's token is trusted to tell the truth. */
    private static Actor holderOfNodeToken(Context request) {
        String user = Objects.requireNonNullElse(request.header(Endpoints.USER_HEADER), "");
        return USER.matcher(user).matches() ? Actor.cli(user) : Actor.OF_NODE;
    }

    private ControlException wrongToken(Context request) {
        return refusal(request, AccessGuard.isForJobs(request.path())
                ? "the token is wrong; that of a job is valid as long as its attempt runs on this node"
                : "the token is wrong, or was revoked; that of the node is in the 'token' file of its home, and"
                        + " 'heddle token create' makes others");
    }

    /** Records a failed login, and returns the exception that answers it. */
    ControlException refusal(Context request, String message) {
        String address = address(request);
        boolean throttled = failures.record(address);
        if (!throttled) {
            audit.record(new Actor(Actor.Kind.UNKNOWN, "nobody", address), "login", null, 1, Outcome.REFUSED, message);
        }
        if (!throttled) {
            return new ControlException(Kind.UNAUTHENTICATED, message);
        }
        request.header("Retry-After", String.valueOf(FailedLogins.WINDOW.toSeconds())).header("Connection", "close");
        return new ControlException(Kind.FULL,
                "too many requests from this address had a wrong token or login code; wait a minute");
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
