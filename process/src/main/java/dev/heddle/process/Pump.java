package dev.heddle.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies a process's output on a platform thread: a few hundred virtual threads that read from pipes would leave no
 * carrier to all others. The output may be held open by someone after the process is gone, and nothing wakes who reads
 * it; so {@link #giveUp} leaves the thread to itself, and nothing more comes out of it.
 */
final class Pump {

    private static final Logger LOG = LoggerFactory.getLogger(Pump.class);
    private static final int BUFFER = 64 * 1024;

    private final String what;
    private final InputStream from;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private @Nullable OutputStream to;

    private Pump(String what, InputStream from, OutputStream to) {
        this.what = what;
        this.from = from;
        this.to = to;
    }

    static Pump start(String what, InputStream from, OutputStream to) {
        Pump pump = new Pump(what, from, to);
        Thread.ofPlatform().daemon().name("heddle-output of " + what).start(pump::run);
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
            LOG.debug("Output of {} ended", what, e);
        } finally {
            giveUp();
        }
    }

    /** What the stream refuses is dropped: a process must not wait for a full disk here. */
    private synchronized void write(byte[] bytes, int length) {
        if (to == null) {
            return;
        }
        try {
            to.write(bytes, 0, length);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Output of {} is dropped from here on: {}", what, e.getMessage());
            close();
        }
    }

    synchronized void giveUp() {
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
                LOG.warn("Output of {} may lack its end: {}", what, e.getMessage());
            }
        }
    }
}
