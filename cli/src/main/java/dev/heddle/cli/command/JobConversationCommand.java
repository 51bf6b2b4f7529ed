package dev.heddle.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.OutputPrinter;
import dev.heddle.cli.access.PollingConnection;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.FileErrors;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.ConversationView;
import dev.heddle.conversation.Conversation;
import dev.heddle.conversation.HtmlView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the conversation of an agent run. */
@Command(name = "conversation", description = {"Print the conversation of an agent and its cost.",
    "-o json prints all details; --html writes a self-contained page."})
final class JobConversationCommand extends OutputCommand {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    @Mixin
    private final JobIdParameter id = new JobIdParameter();

    @Option(names = {"-f", "--follow"},
            description = "Keep printing until the agent ends. Ctrl-C does not affect the job.")
    private boolean follow;

    @Option(names = "--attempt", paramLabel = "N", converter = PositiveIntConverter.class,
            description = "Attempt to print (default: the latest).")
    private @Nullable Integer attempt;

    @Option(names = "--html", paramLabel = "FILE", description = "Write the conversation to this file as an HTML page.")
    private @Nullable Path html;

    JobConversationCommand(CliContext context) {
        super(context);
    }

    @Override
    ExitCode run() throws Exception {
        if (html != null && follow) {
            throw CliException.usage("use --html or --follow, not both");
        }
        try (PollingConnection connection = new PollingConnection(context())) {
            ConversationView view = connection.request(node -> node.control().conversation(id.get(), attempt));
            if (html != null) {
                write(html, view);
                output().info("wrote " + html);
            } else if (format().isTable()) {
                print(connection, view);
            } else {
                format().one(output(), view, _ -> {});
            }
            return ExitCode.OK;
        }
    }

    private static void write(Path file, ConversationView view) {
        Conversation conversation = ControlJson.read(ControlJson.bytes(view.conversation()), Conversation.class);
        try {
            Files.writeString(file, HtmlView.page("job " + view.id(), view.prompt(), conversation));
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    /** Prints the readable form of the conversation, which the agent's run has as its output. */
    private void print(PollingConnection connection, ConversationView view) throws InterruptedException {
        OutputPrinter printer = new OutputPrinter(output()::copy,
                attempt == null && follow ? null : Integer.valueOf(view.attempt()));
        while (true) {
            boolean complete = connection
                    .request(node -> printer.printNext(query -> node.control().output(id.get(), query),
                            follow && node.remote() ? POLL_INTERVAL : Duration.ZERO));
            if (complete || (!follow && printer.isIdle())) {
                return;
            }
            Thread.sleep(printer.isIdle() ? POLL_INTERVAL.dividedBy(5) : Duration.ZERO);
        }
    }
}
