package dev.heddle.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import dev.heddle.job.JobCaller;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * Decides which requests are admitted. It makes three checks, each against a different attack:
 * <ul>
 * <li>every request has the token, or the cookie of a session that was started with a one-time code; the process of a
 * job has the token of the job instead, which is good for the endpoints of jobs only;
 * <li>the Host header names this server, which keeps out pages of a domain that an attacker resolves to 127.0.0.1 (DNS
 * rebinding);
 * <li>a request that changes something by cookie has the Origin of this server, which keeps out pages of other sites
 * (CSRF).
 * </ul>
 */
final class AccessGuard {

    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-f:.]+]|[^:\\[\\]/@\\s]+)(?::(\\d{1,5}))?");
    private static final Set<String> OPEN = Set.of("/healthz", "/readyz");
    private static final Set<String> SAFE = Set.of("GET", "HEAD");
    private static final Set<String> OF_JOBS = Endpoints.all().stream().filter(Endpoint::isForJobs)
            .map(endpoint -> Endpoints.BASE + endpoint.path()).collect(Collectors.toSet());
    private static final String CALLER = "caller";
    static final String LOGIN = "/login";

    private final byte[] tokenDigest;
    private final Set<String> hosts;
    private final Logins logins;
    private final String cookie;
    private final FailedLogins failures;
    private final Function<String, Optional<JobCaller>> jobs;

    /** Creates a guard that finds the jobs of the tokens of processes by the given function. */
    AccessGuard(String token, Set<String> hosts, Logins logins, String cookie, FailedLogins failures,
            Function<String, Optional<JobCaller>> jobs) {
        this.jobs = jobs;
        this.tokenDigest = digest(token);
        this.hosts = hosts;
        this.logins = logins;
        this.cookie = cookie;
        this.failures = failures;
    }

    /** Returns the host names that requests to this server may have in their Host header. */
    static Set<String> hosts(ServerSettings settings) {
        Set<String> names = new HashSet<>(List.of("localhost", "127.0.0.1", "[::1]"));
        settings.access().allowedHosts().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        try {
            InetAddress address = InetAddress.getByName(settings.address().host());
            if (address.isAnyLocalAddress()) {
                for (NetworkInterface device : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                    Collections.list(device.getInetAddresses()).forEach(each -> names.add(text(each)));
                }
            } else {
                names.add(text(address));
                names.add(settings.address().host().toLowerCase(Locale.ROOT));
            }
        } catch (UnknownHostException | SocketException e) {
            throw new IllegalArgumentException("cannot resolve the host '" + settings.address().host() + "'", e);
        }
        return names;
    }

    private static String text(InetAddress address) {
        String text = address.getHostAddress().replaceAll("%.*", "").toLowerCase(Locale.ROOT);
        return address instanceof Inet6Address ? "[" + text + "]" : text;
    }

    /** Returns if the request is admitted, and throws a {@link ControlException} if not. */
    void admit(Context request) {
        if (OPEN.contains(request.path())) {
            return;
        }
        checkHost(request.header("Host"));
        if (request.path().equals(LOGIN)) {
            return;
        }
        String authorization = request.header("Authorization");
        if (authorization != null) {
            checkToken(authorization, request);
        } else {
            checkSession(request);
        }
        if (request.attribute(CALLER) == null && OF_JOBS.contains(request.path())) {
            throw new ControlException(Kind.DENIED,
                    "this endpoint is for the processes of a job; send the token of the job, which is in HEDDLE_JOB_TOKEN");
        }
    }

    /** Returns the job whose process has sent an admitted request to an endpoint of jobs. */
    static JobCaller caller(Context request) {
        return requireNonNull(request.attribute(CALLER), "the request was not admitted");
    }

    private void checkSession(Context request) {
        String session = request.cookie(cookie);
        if (session == null || !logins.isSession(session)) {
            throw new ControlException(Kind.UNAUTHENTICATED,
                    "the token is missing; send 'Authorization: Bearer TOKEN'");
        }
        if (!SAFE.contains(request.req().getMethod()) && !isSameOrigin(request)) {
            throw new ControlException(Kind.DENIED,
                    "a browser session may change something only from pages of this server");
        }
    }

    private void checkHost(@Nullable String header) {
        Matcher host = HOST.matcher(header == null ? "" : header.toLowerCase(Locale.ROOT));
        if (!host.matches() || !hosts.contains(host.group(1))) {
            throw new ControlException(Kind.DENIED,
                    "the Host header does not name this server;" + " if it should, add the name to the allowed hosts");
        }
    }

    /** Compares in constant time, which reveals nothing about how much of a wrong token was right. */
    private void checkToken(String authorization, Context request) {
        boolean bearer = authorization.regionMatches(true, 0, "Bearer ", 0, 7);
        String given = bearer ? authorization.substring(7).strip() : "";
        Optional<JobCaller> caller = jobs.apply(given);
        if (caller.isPresent()) {
            request.attribute(CALLER, caller.get());
            if (!OF_JOBS.contains(request.path())) {
                throw new ControlException(Kind.DENIED, "the token of a job is good for its own job only, at "
                        + Endpoints.BASE + "/job");
            }
            return;
        }
        byte[] presented = digest(given);
        if (!MessageDigest.isEqual(presented, tokenDigest) || !bearer) {
            throw refusal(request, OF_JOBS.contains(request.path())
                    ? "the token is wrong; that of a job is valid as long as its attempt runs on this node"
                    : "the token is wrong; find the right one in the 'token' file of the node's home");
        }
    }

    /** Records a failed login, and returns the exception that answers it. */
    ControlException refusal(Context request, String message) {
        if (!failures.record(request.req().getRemoteAddr())) {
            return new ControlException(Kind.UNAUTHENTICATED, message);
        }
        request.header("Retry-After", String.valueOf(FailedLogins.WINDOW.toSeconds())).header("Connection", "close");
        return new ControlException(Kind.FULL,
                "too many requests from this address had a wrong token or login code; wait a minute");
    }

    private static boolean isSameOrigin(Context request) {
        String origin = request.header("Origin");
        return origin != null && origin.equalsIgnoreCase(request.scheme() + "://" + request.header("Host"));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
