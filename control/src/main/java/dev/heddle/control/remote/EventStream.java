package dev.heddle.control.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.event.NodeEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Reads the events of all nodes from one of them. One thread reads; another may close the stream. */
public final class EventStream implements AutoCloseable {

    /** The kind of the event that tells that others were missed. */
    public static final String RESET = "reset";

    private final InputStream in;
    private final BufferedReader lines;
    private volatile @Nullable String position;

    EventStream(InputStream in, @Nullable String position) {
        this.in = in;
        this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.position = position;
    }

    /** Returns the id of the last event, from which another stream can resume on any node; null before the first. */
    public @Nullable String position() {
        return position;
    }

    /**
     * Waits for the next event. Returns an event of the kind {@link #RESET} if events were missed, and empty if the
     * connection has ended.
     *
     * @throws ControlException if the node does not answer as it should
     */
    public Optional<NodeEvent> next() {
        String kind = "";
        String data = "";
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id: ")) {
                    position = line.substring(4);
                } else if (line.startsWith("event: ")) {
                    kind = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.isEmpty() && !data.isEmpty()) {
                    if (!kind.equals("open")) {
                        return Optional.of(ControlJson.responseReader(NodeEvent.class).<NodeEvent>readValue(data));
                    }
                    data = "";
                }
            }
        } catch (IOException e) {
            // The same as an end: the caller resumes after the last complete event.
        } catch (JacksonException e) {
            throw new ControlException(Kind.UNREACHABLE, "the stream of events is not from a Heddle node", e);
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            // Nothing is left to do.
        }
    }
}
