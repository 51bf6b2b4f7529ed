package dev.heddle.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.heddle.access.AuditEntry.Outcome;
import dev.heddle.access.Caller;
import dev.heddle.access.Role;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.local.AuditLog;
import dev.heddle.job.JobCaller;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * Decides which requests are admitted, before their route is known, and then whether the caller may use that route.
 * This is the only place that enforces roles. The checks are against different attacks:
 * <ul>
 * <li>the Host header names this server, which keeps out pages of a domain that an attacker resolves to 127.0.0.1 (DNS
 * rebinding);
 * <li>every request comes from a caller whom the {@link Authenticator} knows;
 * <li>the caller has the role that the route needs; the process of a job may use the endpoints of jobs only, which
 * nobody else may.
 * </ul>
 */
final class AccessGuard {

    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-f:.]+]|[^:\\[\\]/@\\s]+)(?::(\\d{1,5}))?");
    private static final Set<String> OPEN = Set.of("/healthz", "/readyz");
    private static final Set<String> OF_JOBS = Endpoints.all().stream().filter(Endpoint::isForJobs)
            .map(endpoint -> Endpoints.BASE + endpoint.path()).collect(Collectors.toSet());
    private static final String IDENTITY = "identity";
    static final String LOGIN = "/login";
    static final String LOGOUT = "/logout";

    private final Set<String> hosts;
    private final Authenticator authenticator;
    private final AuditLog audit;

    AccessGuard(Set<String> hosts, Authenticator authenticator, AuditLog audit) {
        this.audit = audit;
        this.hosts = hosts;
        this.authenticator = authenticator;
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
        if (!request.path().equals(LOGIN)) {
            request.attribute(IDENTITY, authenticator.identify(request));
        }
    }

    /**
     * Returns if the sender of an admitted request may use its route. If not, records that in the audit log and throws a
     * {@link ControlException}.
     *
     * @param least the role that the route needs; null if it is for the processes of jobs
     * @param operation the name of the route in the audit log
     */
    void authorize(Context request, @Nullable Role least, String operation) {
        Identity identity = identity(request);
        try {
            requireAllowed(identity, least);
        } catch (ControlException e) {
            audit.record(identity.actor(), operation, request.pathParamMap().get("id"), 1, Outcome.REFUSED,
                    e.getMessage());
            throw e;
        }
    }

    private static void requireAllowed(Identity identity, @Nullable Role least) {
        switch (identity) {
            case Identity.Known(Caller caller) -> {
                if (least == null) {
                    throw new ControlException(Kind.DENIED, "this endpoint is for the processes of a job;"
                            + " send the token of the job, which is in HEDDLE_JOB_TOKEN");
                }
                Identity.requireRole(caller, least);
            }
            case Identity.OfJob _ -> {
                if (least != null) {
                    throw new ControlException(Kind.DENIED, "the token of a job is good for its own job only, at "
                            + Endpoints.BASE + "/job");
                }
            }
        }
    }

    static boolean isForJobs(String path) {
        return OF_JOBS.contains(path);
    }

    private static Identity identity(Context request) {
        return requireNonNull(request.attribute(IDENTITY), "the request was not admitted");
    }

    /** Returns the job whose process has sent an authorized request to an endpoint of jobs. */
    static JobCaller job(Context request) {
        return ((Identity.OfJob) identity(request)).job();
    }

    /** Returns who has sent an authorized request to an endpoint that is not for jobs. */
    static Caller caller(Context request) {
        return ((Identity.Known) identity(request)).caller();
    }

    private void checkHost(@Nullable String header) {
        Matcher host = HOST.matcher(header == null ? "" : header.toLowerCase(Locale.ROOT));
        if (!host.matches() || !hosts.contains(host.group(1))) {
            throw new ControlException(Kind.DENIED,
                    "the Host header does not name this server;" + " if it should, add the name to the allowed hosts");
        }
    }
}
