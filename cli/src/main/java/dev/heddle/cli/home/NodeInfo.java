package dev.heddle.cli.home;

import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.control.ControlJson;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A node as its home knows it, in {@code node.json}.
 *
 * @param startedAt when its process started: a process id alone may have gone to another one since
 */
public record NodeInfo(long pid, Instant startedAt, String host, int port) {

    /** The system derives start times from a boot time that moves a little when the clock is set. */
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(3);

    public NodeInfo {
        Objects.requireNonNull(startedAt, "startedAt");
        Objects.requireNonNull(host, "host");
    }

    /** This process, listening there. */
    public static NodeInfo ofThisProcess(String host, int port) {
        ProcessHandle self = ProcessHandle.current();
        return new NodeInfo(self.pid(), startOf(self).orElse(Instant.EPOCH), host, port);
    }

    /**
     * What a node wrote; empty where none wrote that. Field by field: to find out how records are read takes Jackson
     * longer than the rest of a short command.
     */
    static Optional<NodeInfo> read(String text) {
        try {
            JsonNode json = ControlJson.tree(text);
            return Optional.of(new NodeInfo(json.required("pid").longValue(),
                    Instant.parse(json.required("startedAt").stringValue()),
                    json.required("host").stringValue(), json.required("port").intValue()));
        } catch (JacksonException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<Instant> startOf(ProcessHandle process) {
        return process.info().startInstant();
    }

    /** Where it listens; a node that listens everywhere is spoken to here. */
    public URI address() {
        String name = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        return URI.create("http://" + (name.contains(":") ? "[" + name + "]" : name) + ":" + port);
    }

    /** Why it cannot be there any more; empty where it is. */
    Optional<String> absence() {
        Optional<ProcessHandle> process = ProcessHandle.of(pid).filter(ProcessHandle::isAlive);
        if (process.isEmpty()) {
            return Optional.of("process " + pid + " is gone");
        }
        boolean another = startOf(process.get())
                .filter(start -> Duration.between(start, startedAt).abs().compareTo(CLOCK_SLACK) > 0)
                .isPresent();
        return another ? Optional.of("process " + pid + " is another program by now") : Optional.empty();
    }
}
