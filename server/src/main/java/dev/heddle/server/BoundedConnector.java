package dev.heddle.server;

import java.io.IOException;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * Accepts no more connections while a few more than allowed are open, until the {@link ConnectionWatch} has closed the
 * surplus. A burst would otherwise be accepted faster than its surplus is closed, until the process may not open
 * another file.
 */
final class BoundedConnector extends ServerConnector {

    /** How many connections beyond the limit may be open for a moment. */
    static final int SURPLUS = 32;
    private static final long PAUSE_NANOS = 5_000_000;

    private final int limit;
    /** Used by the one thread that accepts connections. May have sockets that were closed meanwhile. */
    private final Set<Socket> open = new HashSet<>();

    /**
     * Creates a connector.
     *
     * @param connections the most connections that the watch leaves open
     */
    BoundedConnector(Server server, int connections, ConnectionFactory... factories) {
        super(server, 1, 1, factories);
        this.limit = connections + SURPLUS;
    }

    @Override
    public void accept(int acceptor) throws IOException {
        if (open.size() >= limit) {
            open.removeIf(Socket::isClosed);
        }
        if (open.size() < limit) {
            super.accept(acceptor);
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Called for each connection that was accepted. */
    @Override
    protected void configure(Socket socket) {
        open.add(socket);
        super.configure(socket);
    }
}
