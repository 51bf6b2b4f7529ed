package dev.heddle.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Sends raw requests over one connection, and reconnects if the server has closed it. */
final class RawConnection {

    private final HeddleServer server;
    private @Nullable Socket socket;
    private @Nullable InputStream in;

    RawConnection(HeddleServer server) {
        this.server = server;
    }

    /** Sends a request, one byte per character, and returns the status of the response. */
    int status(String request) throws IOException {
        boolean head = request.startsWith("HEAD ");
        try {
            return ask(request, head);
        } catch (IOException e) {
            // The server may have closed the connection after the previous response.
            hangUp();
            return ask(request, head);
        }
    }

    private int ask(String request, boolean head) throws IOException {
        if (socket == null || in == null) {
            socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
            socket.setSoTimeout(60_000);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        String line = line(in);
        int status = Integer.parseInt(line.split(" ", 3)[1]);
        long length = -1;
        boolean chunked = false;
        boolean close = false;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            String lower = header.toLowerCase(Locale.ROOT);
            length = lower.startsWith("content-length:") ? Long.parseLong(lower.substring(15).strip()) : length;
            chunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
            close |= lower.startsWith("connection:") && lower.contains("close");
        }
        if (!head && chunked) {
            skipChunks(in);
        } else if (!head && length > 0) {
            in.skipNBytes(length);
        }
        if (close) {
            hangUp();
        }
        return status;
    }

    private static void skipChunks(InputStream in) throws IOException {
        for (int size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
            in.skipNBytes(size + 2L);
        }
        line(in);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the server hung up");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private void hangUp() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
            in = null;
        }
    }
}
