package dev.heddle.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Follows the events of a server over a plain socket, as slowly as a test needs. It uses HTTP/1.0, which has no chunks.
 */
final class SseReader implements AutoCloseable {

    /** An event as it was received. */
    record Event(String id, String kind, String data) {}

    private final Socket socket = new Socket();
    private final BufferedReader lines;

    private SseReader(HeddleServer server, @Nullable String lastId, String query, int receiveBuffer)
            throws IOException {
        socket.setReceiveBufferSize(receiveBuffer);
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        socket.getOutputStream()
                .write(("GET /api/v1/events" + query + " HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer "
                        + server.token()
                        + "\r\n" + (lastId == null ? "" : "Last-Event-ID: " + lastId + "\r\n") + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 512);
        String status = lines.readLine();
        if (status == null || !status.startsWith("HTTP/1.1 200")) {
            throw new IOException("cannot follow the events: " + status);
        }
        for (String line = lines.readLine(); line != null && !line.isEmpty();) {
            line = lines.readLine();
        }
    }

    SseReader(HeddleServer server, @Nullable String lastId, int receiveBuffer) throws IOException {
        this(server, lastId, "", receiveBuffer);
    }

    SseReader(HeddleServer server, @Nullable String lastId, String query) throws IOException {
        this(server, lastId, query, 256 << 10);
    }

    SseReader(HeddleServer server, @Nullable String lastId) throws IOException {
        this(server, lastId, "");
    }

    /** Returns the next complete event; null if the connection has ended, even in the middle of an event. */
    @Nullable Event next() {
        Map<String, String> fields = new HashMap<>();
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int colon = line.indexOf(": ");
                if (colon > 0) {
                    fields.put(line.substring(0, colon), line.substring(colon + 2));
                } else if (line.isEmpty() && fields.containsKey("data")) {
                    return new Event(fields.getOrDefault("id", ""), fields.getOrDefault("event", ""),
                            fields.getOrDefault("data", ""));
                }
            }
        } catch (IOException e) {
            // The same as an end: the reader resumes after the last complete event.
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
