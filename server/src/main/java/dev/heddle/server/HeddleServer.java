package dev.heddle.server;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.LocalControl;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolEvent;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import io.javalin.util.JavalinBindException;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * A pool over HTTP, for scripts, the command line and browsers.
 *
 * {@snippet :
 * try (HeddleServer server = HeddleServer.on(pool).port(7420).start()) {
 *     System.out.println("listening on " + server.uri() + ", open " + server.loginLink());
 * }
 * }
 *
 * <p>It listens on the loopback address alone unless told otherwise, and answers nobody without its token.
 */
public final class HeddleServer implements AutoCloseable {

    private static final Duration IDLE = Duration.ofSeconds(75);
    /** Small, so that what a reader has not taken is in our ring and not in the kernel. */
    private static final int SEND_BUFFER = 64 << 10;
    private static final String BEGAN = "began";
    /** Whoever makes up methods must not make series of metrics with them. */
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE",
            "OPTIONS");

    private final Pool pool;
    private final ServerSettings settings;
    private final String token;
    /** Cookies do not care for ports, so two nodes on one machine need two names. */
    private final String cookie = "heddle-" + Logins.secret(new SecureRandom()).substring(0, 8);
    private final InstantSource clock = Clock.tickMillis(ZoneOffset.UTC);
    private final Logins logins = new Logins(clock);
    private final EventLog events;
    private final EventReaders readers;
    private final Metrics metrics;
    private final Readiness readiness;
    private final List<Route> routes;
    private final ExecutorService handlers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("heddle-http-", 0).factory());
    private final Javalin javalin;
    private final AutoCloseable subscription;
    private final Thread watch;

    private HeddleServer(Pool pool, ServerSettings settings) {
        this.pool = pool;
        this.settings = settings;
        this.token = settings.token() == null ? Logins.secret(new SecureRandom()) : settings.token();
        this.events = new EventLog(settings.limits().eventsKept(), run());
        this.readers = new EventReaders(events, settings.limits());
        this.metrics = new Metrics(pool, readers);
        this.readiness = new Readiness(pool);
        LocalControl control = LocalControl.on(pool).as("api").with(settings.files());
        this.routes = Routes.of(settings.onDrain() == null ? control : control.ending(settings.onDrain()),
                settings.limits().longestWait(), new HereOnly(settings.hereOnly()));
        this.javalin = Javalin.create(this::configure);
        this.subscription = pool.observe(this::heard);
        this.watch = Thread.ofPlatform().daemon().name("heddle-events").unstarted(readers);
    }

    /** Starts the description of a server for a pool. */
    public static HeddleServerBuilder on(Pool pool) {
        return new HeddleServerBuilder(pool);
    }

    static HeddleServer start(Pool pool, ServerSettings settings) {
        HeddleServer server = new HeddleServer(pool, settings);
        try {
            server.javalin.start(settings.host(), settings.port());
        } catch (JavalinBindException e) {
            server.close();
            throw new ControlException(Kind.UNREACHABLE, "cannot listen on " + settings.host() + ":"
                    + settings.port()
                    + ": another program does, or it is not allowed; choose another port, or 0 for any", e);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        server.watch.start();
        return server;
    }

    /** Two servers, even of one pool, number their events each for itself. */
    private static String run() {
        return Long.toString(new SecureRandom().nextLong(1L << 30, 1L << 40), 36);
    }

    private void heard(PoolEvent event) {
        metrics.heard(event);
        if (Telling.isWorthTelling(event)) {
            events.append(Telling.view(event, pool.nodeId(), clock.instant()));
        }
    }

    private void configure(JavalinConfig config) {
        QueuedThreadPool threads = new QueuedThreadPool(32, 4, 30_000);
        threads.setName("heddle-jetty");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(handlers);
        config.jetty.threadPool = threads;
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JettyProblems());
            server.setStopTimeout(0);
        });
        config.jetty.modifyServletContextHandler(context -> context.setErrorHandler(new JettyProblems()));
        config.jetty.addConnector((server, http) -> {
            http.setSendServerVersion(false);
            http.setSendDateHeader(false);
            ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
            connector.setHost(settings.host());
            connector.setPort(settings.port());
            connector.setIdleTimeout(IDLE.toMillis());
            connector.setAcceptedSendBufferSize(SEND_BUFFER);
            connector.setAcceptQueueSize(1_024);
            return connector;
        });
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.prefer405over404 = true;
        config.http.compressionStrategy = CompressionStrategy.NONE;
        config.router.ignoreTrailingSlashes = false;
        Refused.install(config.routes);
        Guard guard = new Guard(token, Guard.hosts(settings), logins, cookie);
        config.routes.before(context -> {
            context.attribute(BEGAN, System.nanoTime());
            harden(context);
            guard.admit(context);
        });
        config.routes.after(this::measure);
        addRoutes(config);
    }

    private void addRoutes(JavalinConfig config) {
        for (Route route : routes) {
            int limit = route.bulk() ? settings.limits().bulkBody() : settings.limits().body();
            config.routes.addEndpoint(
                    new Endpoint(HandlerType.findOrCreate(route.method()), Routes.BASE + route.path(),
                            context -> answer(route, new Call(context, limit))));
        }
        byte[] document = ControlJson.bytes(OpenApi.document(routes));
        config.routes.get(Routes.BASE + "/openapi.json", context -> json(context, document));
        config.routes.get(Routes.BASE + "/events", context -> {
            new Call(context, 0).knowsOnly(List.of());
            readers.serve(context);
        });
        config.routes.get("/metrics", context -> context
                .contentType("text/plain; version=0.0.4; charset=utf-8").result(metrics.scrape()));
        config.routes.get("/healthz",
                context -> json(context, ControlJson.bytes(new Readiness.Answer("ok"))));
        config.routes.get("/readyz", context -> json(context, ControlJson.bytes(readiness.answer())));
        config.routes.get(Guard.LOGIN, this::login);
    }

    private static void answer(Route route, Call call) {
        call.knowsOnly(route.query());
        if (route.body() == null && !route.method().equals("GET")) {
            call.requireNoBody();
        }
        byte[] answer = ControlJson.bytes(route.action().answer(call));
        call.context().status(route.status());
        json(call.context(), answer);
    }

    private static void json(Context context, byte[] body) {
        context.contentType("application/json").result(body);
    }

    /** What browsers are told about every answer, whatever it is. */
    private static void harden(Context context) {
        context.header("X-Content-Type-Options", "nosniff").header("Cache-Control", "no-store")
                .header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                .header("X-Frame-Options", "DENY").header("Referrer-Policy", "no-referrer");
    }

    private void measure(Context context) {
        @Nullable Long began = context.attribute(BEGAN);
        boolean stream = context.path().endsWith("/events");
        if (began != null && !stream) {
            String method = context.req().getMethod();
            metrics.asked(METHODS.contains(method) ? method : "other", route(context), context.statusCode(),
                    Duration.ofNanos(System.nanoTime() - began));
        }
    }

    private static String route(Context context) {
        Endpoint matched = context.endpoints().lastHttpEndpoint();
        return matched == null ? "none" : matched.path;
    }

    private void login(Context context) {
        Call call = new Call(context, 0);
        String code = call.query("code");
        String session = code == null ? null : logins.exchange(code);
        if (session == null) {
            throw new ControlException(Kind.UNAUTHENTICATED,
                    "this link was used before, or is too old; ask the node for a new one");
        }
        context.header("Set-Cookie", cookie + "=" + session + "; Path=/; HttpOnly; SameSite=Strict");
        context.header("Location", Routes.BASE + "/stats").status(303);
    }

    /** What is served, as method and path, for whoever compares it with what is documented. */
    List<String> endpoints() {
        return javalin.unsafe.internalRouter.allHttpHandlers().stream().map(parsed -> parsed.endpoint)
                .filter(endpoint -> endpoint.method.isHttpMethod())
                .map(endpoint -> endpoint.method.name() + " " + endpoint.path).toList();
    }

    /** Where it listens, such as {@code http://127.0.0.1:7420}. */
    public URI uri() {
        String host = settings.host();
        boolean any = host.equals("0.0.0.0") || host.equals("::");
        String name = any ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
        return URI.create("http://" + name + ":" + port());
    }

    public int port() {
        return javalin.port();
    }

    /** What a request has to show; keep it where only its owner can read it. */
    public String token() {
        return token;
    }

    /** A link that logs one browser in, once, within 10 minutes. It carries a code and not the token. */
    public URI loginLink() {
        return uri().resolve(Guard.LOGIN + "?code=" + logins.newCode());
    }

    /** Stops listening and lets go of everybody who waits; the pool stays open. */
    @Override
    public void close() {
        readers.close();
        javalin.stop();
        handlers.shutdownNow();
        watch.interrupt();
        try {
            subscription.close();
        } catch (Exception e) {
            throw new IllegalStateException("an observer is taken off a list, which cannot fail", e);
        }
        metrics.close();
    }
}
