package dev.heddle.server;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import jakarta.servlet.Servlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Listens for connections and hands their requests to a servlet. Javalin could start Jetty too, but only with Jetty's
 * modules for WebSockets, which nothing here uses.
 */
final class JettyListener implements AutoCloseable {

    static final Duration IDLE_TIMEOUT = Duration.ofSeconds(75);
    /**
     * Small, because what a slow reader has not received should stay in the shared ring and not fill kernel buffers.
     */
    private static final int SEND_BUFFER = 64 << 10;

    private final ServerSettings.Address address;
    private final SslContextFactory.@Nullable Server tls;
    private final ConnectionWatch connections;
    private final Server server;
    private final ServerConnector connector;

    JettyListener(Servlet servlet, ServerSettings.Address address, SslContextFactory.@Nullable Server tls,
            ConnectionWatch connections, Executor handlers) {
        this.address = address;
        this.tls = tls;
        this.connections = connections;
        QueuedThreadPool threads = new QueuedThreadPool(32, 4, 30_000);
        threads.setName("heddle-jetty");
        threads.setDaemon(true);
        threads.setVirtualThreadsExecutor(handlers);
        this.server = new Server(threads);
        server.setErrorHandler(new JettyErrorHandler());
        server.setStopTimeout(0);
        server.setHandler(context(servlet));
        this.connector = connector();
        server.addConnector(connector);
    }

    private static ServletContextHandler context(Servlet servlet) {
        ServletContextHandler context = new ServletContextHandler();
        context.setErrorHandler(new JettyErrorHandler());
        ServletHolder holder = new ServletHolder(servlet);
        holder.setAsyncSupported(true);
        context.addServlet(holder, "/*");
        return context;
    }

    private ServerConnector connector() {
        HttpConfiguration http = new HttpConfiguration();
        // Ids of workers have a slash, which is encoded in paths.
        http.setUriCompliance(UriCompliance.LEGACY);
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        // By default Jetty returns a cached header value of the same connection if only the case differs: a wrong
        // token would be taken for the right one, and the right one for a wrong one.
        http.setHeaderCacheCaseSensitive(true);
        http.addCustomizer(connections);
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        ServerConnector created;
        if (tls == null) {
            created = new BoundedConnector(server, connections.limit(), plain);
        } else {
            // The guard checks the Host header, so that Jetty need not compare it with the certificate.
            http.addCustomizer(new SecureRequestCustomizer(false));
            created = new BoundedConnector(server, connections.limit(),
                    new SslConnectionFactory(tls, plain.getProtocol()), plain);
        }
        created.addBean(connections);
        created.setHost(address.host());
        created.setPort(address.port());
        created.setIdleTimeout(IDLE_TIMEOUT.toMillis());
        created.setAcceptedSendBufferSize(SEND_BUFFER);
        created.setAcceptQueueSize(1_024);
        return created;
    }

    /**
     * Starts listening.
     *
     * @throws ControlException if it cannot listen on the address
     */
    void start() {
        try {
            server.start();
        } catch (IOException e) {
            throw new ControlException(Kind.UNREACHABLE, "cannot listen on " + address.host() + ":" + address.port()
                    + ": the port is in use or not permitted; choose another port, or 0 for any free port", e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("cannot start Jetty", e);
        }
    }

    /** Returns the port it listens on. */
    int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("cannot stop Jetty", e);
        }
    }
}
