package dev.heddle.server;

import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A burst of connections on a server that takes its time to close the surplus. */
class BoundedConnectorTest {

    private static final int LIMIT = 10;
    private static final int BURST = 3 * (LIMIT + BoundedConnector.SURPLUS);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final CountDownLatch mayClose = new CountDownLatch(1);
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    /** Closes each connection once the test allows it. */
    private final class SlowWatch implements Connection.Listener {
        @Override
        public void onOpened(Connection connection) {
            mostAtOnce.accumulateAndGet(opened.incrementAndGet() - closed.get(), Math::max);
            try {
                mayClose.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            closed.incrementAndGet();
            connection.getEndPoint().close();
        }
    }

    @Test
    void acceptsNoMoreUntilTheSurplusIsClosed() throws Exception {
        Server server = new Server(new QueuedThreadPool(2 * BURST));
        BoundedConnector connector = new BoundedConnector(server, LIMIT, new HttpConnectionFactory());
        connector.setAcceptQueueSize(2 * BURST);
        connector.addBean(new SlowWatch());
        server.addConnector(connector);
        server.start();
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < BURST; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort()));
            }
            Awaitility.await().atMost(LONG).until(() -> opened.get() >= LIMIT + BoundedConnector.SURPLUS);

            mayClose.countDown();

            Awaitility.await().atMost(LONG).until(() -> closed.get() == BURST);
            assertThat(mostAtOnce).hasValue(LIMIT + BoundedConnector.SURPLUS);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
            server.stop();
        }
    }
}
