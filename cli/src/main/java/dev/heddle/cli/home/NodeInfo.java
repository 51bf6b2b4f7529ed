package dev.heddle.cli.home;

import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.control.ControlJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The content of {@code node.json}: the process and the address of the running node.
 *
 * @param startedAt when the process started, which detects reused process ids
 * @param certificate the PEM file with the certificate of the node; null if it serves HTTP without TLS
 */
public record NodeInfo(long pid, Instant startedAt, String host, int port, @Nullable String certificate) {

    /** Process start times derive from the boot time, which shifts a little when the clock is set. */
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(3);

    public NodeInfo {
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(host, "host");
    }

    /** Returns the info of this process, which serves HTTP on the given address. */
    public static NodeInfo ofThisProcess(String host, int port) {
        return ofThisProcess(host, port, null);
    }

    /** Returns the info of this process, which listens on the given address. */
    public static NodeInfo ofThisProcess(String host, int port, @Nullable String certificate) {
        ProcessHandle self = ProcessHandle.current();
        return new NodeInfo(self.pid(), startOf(self).orElse(Instant.EPOCH), host, port, certificate);
    }

    /**
     * Parses the text of {@code node.json}; empty if it is not valid. Reads field by field, because Jackson's record
     * introspection takes longer than the rest of a short command.
     */
    static Optional<NodeInfo> read(String text) {
        try {
            JsonNode json = ControlJson.tree(text);
            return Optional.of(new NodeInfo(json.required("pid").longValue(),
                    Instant.parse(json.required("startedAt").stringValue()), json.required("host").stringValue(),
                    json.required("port").intValue(),
                    json.path("certificate").stringValue(null)));
        } catch (JacksonException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<Instant> startOf(ProcessHandle process) {
        return process.info().startInstant();
    }

    /** Returns the URI of the node. A node that listens on all interfaces is reached over loopback. */
    public URI address() {
        String address = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        return URI.create((certificate == null ? "http://" : "https://")
                + (address.contains(":") ? "[" + address + "]" : address) + ":" + port);
    }

    /** Returns why the node cannot be running; empty if its process exists. */
    Optional<String> absence() {
        Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        if (process.isEmpty()) {
            return Optional.of("process " + pid + " does not exist");
        }
        boolean reused = startOf(process.get())
                .filter(start -> Duration.between(start, startedAt).abs().compareTo(CLOCK_SLACK) > 0).isPresent();
        return reused ? Optional.of("process " + pid + " is another program") : Optional.empty();
    }
}
