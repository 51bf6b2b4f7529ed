package dev.heddle.cli.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector;
import dev.heddle.cli.access.Connector.Connection;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.ControlException;
import dev.heddle.control.remote.EventStream;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.event.NodeEvent;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints events as they happen. */
@Command(name = "events",
        description = "Print what happens on all nodes that share the store, until Ctrl-C. Each option may be repeated.")
final class EventsCommand extends OutputCommand {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    @Option(names = "--kind", paramLabel = "KIND", split = ",",
            description = "Only these kinds, such as submitted, started, progress, ended, cancel.")
    private List<String> kinds = new ArrayList<>();

    @Option(names = {"-t", "--type"}, paramLabel = "TYPE", split = ",", description = "Only jobs of these types.")
    private List<String> types = new ArrayList<>();

    @Option(names = {"-q", "--queue"}, paramLabel = "QUEUE", split = ",", description = "Only these queues.")
    private List<String> queues = new ArrayList<>();

    @Option(names = "--job", paramLabel = "ID", split = ",", description = "Only jobs whose id starts with this.")
    private List<String> jobs = new ArrayList<>();

    @Option(names = "--node", paramLabel = "NODE", split = ",", description = "Only these nodes.")
    private List<String> nodes = new ArrayList<>();

    @Option(names = {"-s", "--state"}, paramLabel = "STATE", split = ",",
            description = "Only ends of attempts that left their job in these states.")
    private List<String> states = new ArrayList<>();

    @Option(names = {"-n", "--count"}, paramLabel = "N", converter = PositiveIntConverter.class,
            description = "Stop after this many events.")
    private @Nullable Integer count;

    EventsCommand(CliContext context) {
        super(context);
    }

    @Override
    ExitCode run() throws Exception {
        @Nullable String position = null;
        int left = count == null ? Integer.MAX_VALUE : count;
        while (true) {
            try (Connection connection = new Connector(context()).open(Intent.READ)) {
                if (!(connection.control() instanceof RemoteControl node)) {
                    throw new CliException(ExitCode.UNREACHABLE,
                            "no node is running, so nothing happens here; start one with 'heddle serve'");
                }
                try (EventStream events = node.events(filters(), position)) {
                    for (Optional<NodeEvent> event = events.next(); event.isPresent(); event = events.next()) {
                        position = events.position();
                        print(event.get());
                        if (--left == 0) {
                            return ExitCode.OK;
                        }
                    }
                    position = events.position();
                }
            } catch (ControlException e) {
                if (position == null || e.kind() != ControlException.Kind.UNREACHABLE) {
                    throw e;
                }
            }
            output().info("the connection was lost; connecting again");
            Thread.sleep(PAUSE);
        }
    }

    private Map<String, List<String>> filters() {
        Map<String, List<String>> filters = new LinkedHashMap<>();
        filters.put("kind", kinds);
        filters.put("type", types);
        filters.put("queue", queues);
        filters.put("job", jobs);
        filters.put("node", nodes);
        filters.put("state", states);
        filters.values().removeIf(List::isEmpty);
        return filters;
    }

    private void print(NodeEvent event) {
        if (event.kind().equals(EventStream.RESET)) {
            output().info("some events were missed");
        } else {
            format().one(output(), event, this::line);
        }
    }

    private void line(NodeEvent event) {
        output().print(Stream.of(event.at(), String.format("%-12s", event.kind()), event.job(), event.type(),
                event.queue() == null || event.queue().equals("default") ? null : "queue " + event.queue(),
                event.count() == null || event.count() == 1 ? null : event.count() + " times",
                event.attempt() == null ? null : "attempt " + event.attempt(),
                event.end() == null ? null : event.end().name().toLowerCase(Locale.ROOT),
                event.state() == null || (event.end() != null && event.state().name().equals(event.end().name())) ? null
                        : "now " + event.state(),
                event.tookMillis() == null ? null : event.tookMillis() + " ms", event.worker(),
                event.worker() == null ? "on " + event.node() : null,
                event.actor() == null ? null : "by " + event.actor(),
                event.progress() == null ? null
                        : event.progress().current() + "/" + event.progress().total() + " "
                                + event.progress().message(),
                event.error(), event.reason()).filter(part -> part != null).map(Object::toString)
                .collect(Collectors.joining("  ")));
    }
}
