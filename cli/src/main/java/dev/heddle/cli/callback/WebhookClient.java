package dev.heddle.cli.callback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.StringRequestContent;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Sends webhooks. It connects to the very addresses that it checked, so that a name whose address changes in between
 * cannot lead it elsewhere. The client of the JDK resolves names itself. Redirects are not followed.
 */
final class WebhookClient implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Resolver resolver;
    private final boolean allowPrivate;
    private @Nullable HttpClient started;

    /** Finds the addresses of a host. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    WebhookClient(boolean allowPrivate) {
        this(allowPrivate, InetAddress::getAllByName);
    }

    WebhookClient(boolean allowPrivate, Resolver resolver) {
        this.allowPrivate = allowPrivate;
        this.resolver = resolver;
    }

    /**
     * Posts JSON and returns the status of the response, whose body is ignored.
     *
     * @throws PrivateAddressException if the host has an address that is not public
     */
    int post(URI uri, Map<String, String> headers, String json) throws IOException, InterruptedException {
        CompletableFuture<Integer> status = new CompletableFuture<>();
        client().POST(uri).timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .headers(fields -> headers.forEach(fields::put))
                .body(new StringRequestContent("application/json", json)).send(result -> {
                    if (result.isFailed()) {
                        status.completeExceptionally(result.getFailure());
                    } else {
                        status.complete(result.getResponse().getStatus());
                    }
                });
        try {
            return status.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PrivateAddressException refused) {
                throw refused;
            }
            throw new IOException(uri.getHost() + " cannot be reached: " + e.getCause(), e);
        }
    }

    private List<InetSocketAddress> addresses(String host, int port) throws IOException {
        InetAddress[] found = resolver.resolve(host);
        for (InetAddress address : found) {
            if (!allowPrivate && !PublicAddresses.contain(address)) {
                throw new PrivateAddressException(host, address);
            }
        }
        return Arrays.stream(found).map(address -> new InetSocketAddress(address, port)).toList();
    }

    private void resolve(String host, int port, Promise<List<InetSocketAddress>> promise) {
        List<InetSocketAddress> addresses;
        try {
            addresses = addresses(host, port);
        } catch (IOException e) {
            promise.failed(e);
            return;
        }
        promise.succeeded(addresses);
    }

    /** Starts the client at its first use, because most nodes have no webhooks. */
    private synchronized HttpClient client() throws IOException {
        if (started == null) {
            QueuedThreadPool threads = new QueuedThreadPool(16, 1);
            threads.setName("heddle-webhooks");
            threads.setDaemon(true);
            HttpClient client = new HttpClient();
            client.setExecutor(threads);
            client.setFollowRedirects(false);
            client.setConnectTimeout(CONNECT_TIMEOUT.toMillis());
            client.setSocketAddressResolver((host, port, _, promise) -> resolve(host, port, promise));
            try {
                client.start();
            } catch (Exception e) {
                throw new IOException("cannot start the client for webhooks", e);
            }
            started = client;
        }
        return started;
    }

    @Override
    public synchronized void close() {
        try {
            if (started != null) {
                started.stop();
            }
        } catch (Exception e) {
            throw new IllegalStateException("cannot stop the client for webhooks", e);
        }
    }
}
