package dev.heddle.cli.access;

import java.util.function.Function;

import dev.heddle.cli.access.Connector.Connection;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.home.NodeStatus;
import dev.heddle.control.ControlException;
import org.jspecify.annotations.Nullable;

/**
 * A connection for commands that poll. It stays connected to a node but opens the store for each request only, so a
 * node can start in between. It switches to a node that starts, and to the store if the node stops.
 */
public final class PollingConnection implements AutoCloseable {

    private final CliContext context;
    private final Connector connector;
    private @Nullable Connection node;

    /** Creates a connection that opens on the first request. */
    public PollingConnection(CliContext context) {
        this.context = context;
        this.connector = new Connector(context);
    }

    /** Sends a request to the node, or to the store if no node runs now. */
    public <T> T request(Function<Connection, T> request) {
        if (node != null) {
            try {
                return request.apply(node);
            } catch (ControlException e) {
                if (e.kind() != ControlException.Kind.UNREACHABLE || isNodeRunning()) {
                    throw e;
                }
                close();
            }
        }
        Connection opened = connector.open(Intent.READ);
        if (opened.remote()) {
            node = opened;
            return request.apply(opened);
        }
        try (opened) {
            return request.apply(opened);
        }
    }

    private boolean isNodeRunning() {
        return NodeStatus.of(context.options().home()) instanceof NodeStatus.Running;
    }

    @Override
    public void close() {
        if (node != null) {
            node.close();
            node = null;
        }
    }
}
