package dev.heddle.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the output of a process to a stream on a platform thread. A few hundred virtual threads that block on pipes
 * would take all carrier threads.
 *
 * <p>Another process may hold the pipe open after its writer has ended, and a blocked read cannot be interrupted.
 * {@link #abandon} therefore closes the stream and leaves the thread to itself.
 */
final class OutputPump {

    private static final Logger LOG = LoggerFactory.getLogger(OutputPump.class);
    private static final int BUFFER = 64 * 1024;

    private final String label;
    private final InputStream from;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private @Nullable OutputStream to;

    private OutputPump(String label, InputStream from, OutputStream to) {
        this.label = label;
        this.from = from;
        this.to = to;
    }

    static OutputPump start(String label, InputStream from, OutputStream to) {
        OutputPump pump = new OutputPump(label, from, to);
        Thread.ofPlatform().daemon().name("heddle-output of " + label).start(pump::run);
        return pump;
    }

    CompletableFuture<Void> done() {
        return done;
    }

    private void run() {
        byte[] buffer = new byte[BUFFER];
        try (from) {
            for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
                write(buffer, length);
            }
        } catch (IOException e) {
            LOG.debug("Output of {} ended", label, e);
        } finally {
            abandon();
        }
    }

    /** Drops what the stream refuses, because a process must not block on a full disk in this JVM. */
    private synchronized void write(byte[] bytes, int length) {
        if (to == null) {
            return;
        }
        try {
            to.write(bytes, 0, length);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot write the output of {}; the rest is dropped: {}", label, e.getMessage());
            close();
        }
    }

    synchronized void abandon() {
        close();
        done.complete(null);
    }

    private void close() {
        OutputStream stream = to;
        to = null;
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException | RuntimeException e) {
                LOG.warn("Cannot close the output of {}; its end may be missing: {}", label, e.getMessage());
            }
        }
    }
}
