package dev.heddle.server;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.heddle.access.AccessStore;
import dev.heddle.access.Actor;
import dev.heddle.access.AuditEntry.Outcome;
import dev.heddle.access.AuditStore;
import dev.heddle.access.Caller;
import dev.heddle.access.Role;
import dev.heddle.control.ControlJson;
import dev.heddle.control.ViewMasker;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.local.AuditLog;
import dev.heddle.control.local.LocalControl;
import dev.heddle.env.Environment;
import dev.heddle.event.EventSource;
import dev.heddle.event.EventStore;
import dev.heddle.pool.Pool;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * Serves a pool over HTTP, to scripts, the command line and browsers.
 *
 * {@snippet :
 * try (HeddleServer server = HeddleServer.on(pool).port(7420).start()) {
 *     System.out.println("listening on " + server.uri() + ", open " + server.loginLink());
 * }
 * }
 *
 * <p>By default it listens on the loopback address only. Requests need its token, except the health probes.
 */
public final class HeddleServer implements AutoCloseable {

    private static final String STARTED = "started";
    /** The methods that metrics distinguish: a client that invents methods must not create a series for each. */
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final ServerSettings settings;
    private final SslContextFactory.@Nullable Server tls;
    private final String token;
    /** Random, because cookies ignore ports: two nodes on one machine need different names. */
    private final String cookie = "heddle-" + Logins.secret(new SecureRandom()).substring(0, 8);
    private final InstantSource clock = Clock.tickMillis(ZoneOffset.UTC);
    private final Logins logins = new Logins(Environment.system());
    private final ViewMasker masker;
    private final ClusterEvents events;
    private final EventReaders readers;
    private final Metrics metrics;
    private final Readiness readiness;
    private final LocalControl control;
    private final List<Routes.Route> routes;
    private final ExecutorService handlers = Executors
            .newThreadPerTaskExecutor(Thread.ofVirtual().name("heddle-http-", 0).factory());
    private final ConnectionWatch connections;
    private final AuditLog audit;
    private final AccessWriter accessWriter;
    private final Authenticator authenticator;
    private final AccessGuard guard;
    private final Javalin javalin;
    private final JettyListener listener;
    private final AutoCloseable subscription;
    private final AutoCloseable following;
    private final Thread dropper;
    private final Thread follower;
    private final Thread watcher;
    private final Thread writer;

    private HeddleServer(Pool pool, ServerSettings settings) {
        this.settings = settings;
        TlsFiles files = settings.address().tls();
        this.tls = files == null ? null : files.contextFactory();
        this.token = settings.access().token() == null ? Logins.secret(new SecureRandom())
                : settings.access().token();
        this.masker = new ViewMasker(settings.redaction());
        EventSource own = pool.admin().events();
        EventLog log = new EventLog(settings.limits().eventsKept(), own.id(), own.position(), masker::view);
        this.events = new ClusterEvents(pool.admin().capability(EventStore.class), own, log);
        this.readers = new EventReaders(log, events, settings.limits());
        this.metrics = new Metrics(pool, readers, handlers);
        this.readiness = new Readiness(pool, handlers);
        this.audit = AuditLog.grouped(pool.admin().capability(AuditStore.class), clock,
                settings.access().auditRetention());
        NamedTokens tokens = new NamedTokens(pool.admin().capability(AccessStore.class), Environment.system());
        this.control = LocalControl.on(pool).with(settings.files());
        this.routes = Routes.of(settings.onDrain() == null ? control : control.onDrain(settings.onDrain()),
                settings.limits().longestWait(), settings.access().others(),
                new RequestOrigin(settings.access().behindProxy()), tokens, audit);
        this.connections = new ConnectionWatch(settings.connections(), JettyListener.IDLE_TIMEOUT);
        this.authenticator = new Authenticator(token, tokens, logins, cookie, new FailedLogins(Environment.system()),
                settings.access().jobs(), settings.access().proxies(), audit, clock);
        this.guard = new AccessGuard(AccessGuard.hosts(settings), authenticator, audit);
        this.javalin = Javalin.create(this::configure);
        this.listener = new JettyListener(javalin.javalinServlet(), settings.address(), tls, connections, handlers);
        this.subscription = pool.observe(metrics::record);
        this.following = own.listen(events);
        this.follower = Thread.ofPlatform().daemon().name("heddle-cluster-events").unstarted(events);
        this.dropper = Thread.ofPlatform().daemon().name("heddle-events").unstarted(readers);
        this.watcher = Thread.ofPlatform().daemon().name("heddle-connections").unstarted(connections);
        this.accessWriter = new AccessWriter(audit, tokens);
        this.writer = Thread.ofPlatform().daemon().name("heddle-access").unstarted(accessWriter);
    }

    /** Returns a builder for a server of this pool. */
    public static HeddleServerBuilder on(Pool pool) {
        return new HeddleServerBuilder(requireNonNull(pool, "pool"));
    }

    static HeddleServer start(Pool pool, ServerSettings settings) {
        HeddleServer server = new HeddleServer(pool, settings);
        try {
            server.listener.start();
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        server.dropper.start();
        server.follower.start();
        server.watcher.start();
        server.writer.start();
        return server;
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.router.ignoreTrailingSlashes = false;
        ProblemResponses.install(config.routes);
        config.routes.before(context -> {
            context.attribute(STARTED, System.nanoTime());
            harden(context);
            guard.admit(context);
        });
        config.routes.after(this::measure);
        addRoutes(config);
    }

    private void addRoutes(JavalinConfig config) {
        for (Routes.Route route : routes) {
            Endpoint<?> endpoint = route.endpoint();
            int limit = endpoint.manyJobs() ? settings.limits().bulkBody() : settings.limits().body();
            add(config, endpoint.method().name(), Endpoints.BASE + endpoint.path(), endpoint.role(),
                    Endpoints.operation(endpoint),
                    context -> answer(route, new ApiRequest(context, limit)));
        }
        add(config, "GET", Endpoints.BASE + Endpoints.ARTIFACT, Role.VIEWER, "read",
                context -> new ArtifactResponse(control).send(context));
        byte[] document = ControlJson.bytes(OpenApi.document());
        String version = '"' + Integer.toHexString(Arrays.hashCode(document)) + '"';
        add(config, "GET", Endpoints.BASE + "/openapi.json", Role.VIEWER, "read", context -> {
            context.header("ETag", version).header("Cache-Control", "no-cache");
            if (version.equals(context.header("If-None-Match"))) {
                context.status(304);
            } else {
                json(context, document);
            }
        });
        add(config, "GET", Endpoints.BASE + "/events", Role.VIEWER, "read", context -> {
            ApiRequest request = new ApiRequest(context, 0);
            request.requireKnownParameters(EventFilter.PARAMETERS);
            readers.serve(context, request.eventFilter());
        });
        add(config, "GET", "/metrics", Role.VIEWER, "read",
                context -> context.contentType("text/plain; version=0.0.4; charset=utf-8").result(metrics.scrape()));
        add(config, "POST", AccessGuard.LOGOUT, Role.VIEWER, "logout", this::logout);
        config.routes.get("/healthz", context -> json(context, ControlJson.bytes(new Readiness.Answer("ok"))));
        config.routes.get("/readyz", context -> json(context, ControlJson.bytes(readiness.answer())));
        config.routes.get(AccessGuard.LOGIN, this::login);
    }

    /** Adds a route for callers with a role; null if it is for the processes of jobs. */
    private void add(JavalinConfig config, String method, String path, @Nullable Role least, String operation,
            Handler handler) {
        config.routes.addEndpoint(new io.javalin.router.Endpoint(HandlerType.findOrCreate(method), path, context -> {
            guard.authorize(context, least, operation);
            handler.handle(context);
        }));
    }

    private void answer(Routes.Route route, ApiRequest request) {
        Endpoint<?> endpoint = route.endpoint();
        request.requireKnownParameters(endpoint.parameters());
        if (endpoint.body() == null && endpoint.method() != Endpoint.Method.GET) {
            request.requireNoBody();
        }
        // Processes of a job see what it was submitted with, as its handler does.
        boolean reveal = endpoint.isForJobs() || request.flag(Endpoint.REVEAL);
        if (reveal && !endpoint.isForJobs()) {
            guard.authorize(request.context(), Role.ADMIN, "reveal");
        }
        Object view = route.handler().apply(request);
        byte[] response = ControlJson.bytes(reveal ? view : masker.view(view));
        request.context().status(endpoint.status());
        json(request.context(), response);
    }

    private static void json(Context context, byte[] body) {
        context.contentType("application/json").result(body);
    }

    /** Sets the security headers of every response. */
    private static void harden(Context context) {
        context.header("X-Content-Type-Options", "nosniff").header("Cache-Control", "no-store")
                .header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                .header("X-Frame-Options", "DENY").header("Referrer-Policy", "no-referrer");
    }

    private void measure(Context context) {
        @Nullable Long started = context.attribute(STARTED);
        boolean stream = context.path().endsWith("/events");
        if (started != null && !stream) {
            String method = context.req().getMethod();
            metrics.recordRequest(METHODS.contains(method) ? method : "other", route(context), context.statusCode(),
                    Duration.ofNanos(System.nanoTime() - started));
        }
    }

    private static String route(Context context) {
        io.javalin.router.Endpoint matched = context.endpoints().lastHttpEndpoint();
        return matched == null ? "none" : matched.path;
    }

    private void login(Context context) {
        String code = new ApiRequest(context, 0).query("code");
        String session = code == null ? null : logins.exchange(code);
        if (session == null) {
            throw authenticator.refusal(context,
                    "this login link was already used or has expired; get a new one from the node");
        }
        setCookie(context, session, "");
        audit.record(authenticator.actor(context, session), "login", null, 1, Outcome.DONE, null);
        context.header("Location", Endpoints.BASE + "/stats").status(303);
    }

    /** Ends the session of a browser. A token stays valid: only revoking it ends it. */
    private void logout(Context context) {
        new ApiRequest(context, 0).requireNoBody();
        String session = context.cookie(cookie);
        if (session != null) {
            logins.end(session);
            audit.record(AccessGuard.caller(context).actor(), "logout", null, 1, Outcome.DONE, null);
        }
        setCookie(context, "", "; Max-Age=0");
        context.status(204);
    }

    private void setCookie(Context context, String value, String lifetime) {
        context.header("Set-Cookie", cookie + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" + lifetime
                + (tls == null ? "" : "; Secure"));
    }

    /** Returns method and path of everything that is served, which tests compare with the documentation. */
    List<String> endpoints() {
        return javalin.unsafe.internalRouter.allHttpHandlers().stream().map(parsed -> parsed.endpoint)
                .filter(endpoint -> endpoint.method.isHttpMethod())
                .map(endpoint -> endpoint.method.name() + " " + endpoint.path).toList();
    }

    /** Writes what requests do not wait for. */
    void writeAccess() {
        accessWriter.writeAll();
    }

    /** Returns the address it listens on, such as {@code http://127.0.0.1:7420}. */
    public URI uri() {
        String host = settings.address().host();
        boolean any = host.equals("0.0.0.0") || host.equals("::");
        String name = any ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
        return URI.create((tls == null ? "http://" : "https://") + name + ":" + port());
    }

    /** Returns the port it listens on. */
    public int port() {
        return listener.port();
    }

    /** Returns the token that requests must have. Store it where only its owner can read it. */
    public String token() {
        return token;
    }

    /**
     * Returns a link that logs in one browser, once, within 10 minutes, with the role {@code ADMIN}. It contains
     * a one-time code and not the token.
     */
    public URI loginLink() {
        return loginLink(new Caller(Actor.OF_NODE, Role.ADMIN));
    }

    /** Returns a link that logs in one browser, once, within 10 minutes, as this caller. */
    public URI loginLink(Caller caller) {
        return uri().resolve(AccessGuard.LOGIN + "?code=" + logins.newCode(requireNonNull(caller, "caller")));
    }

    /** Stops listening and ends all waiting requests. The pool stays open. */
    @Override
    public void close() {
        readers.close();
        listener.close();
        handlers.shutdownNow();
        dropper.interrupt();
        follower.interrupt();
        watcher.interrupt();
        writer.interrupt();
        accessWriter.writeAll();
        try {
            subscription.close();
            following.close();
        } catch (Exception e) {
            throw new IllegalStateException("removing an observer cannot fail", e);
        }
        metrics.close();
    }
}
