package dev.heddle.cli.verb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Lasting;
import dev.heddle.cli.access.OutputTap;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.FileTrouble;
import dev.heddle.control.ControlJson;
import dev.heddle.control.ConversationView;
import dev.heddle.conversation.Conversation;
import dev.heddle.conversation.HtmlView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What was said in a run of an agent. */
@Command(name = "conversation", description = {"Print what an agent said and did, and what it cost.",
    "With -o json all of it, read anew from every line it wrote; with --html one page that needs nothing else."})
final class JobConversation extends Verb {

    private static final Duration BETWEEN = Duration.ofMillis(500);

    @Parameters(paramLabel = "ID", description = "The job, by its id or the beginning of it.") @SuppressWarnings("NullAway.Init") // set before call()
    private String id;

    @Option(names = {"-f",
        "--follow"}, description = "Go on until the agent is done; Ctrl-C only stops the watching.") private boolean follow;

    @Option(names = "--attempt", paramLabel = "N", converter = AtLeastOne.class, description = "The one of this attempt; default the last one.") private @Nullable Integer attempt;

    @Option(names = "--html", paramLabel = "FILE", description = "Write it to this file as one page.") private @Nullable Path html;

    JobConversation(Desk desk) {
        super(desk);
    }

    @Override
    Exit run() throws Exception {
        if (html != null && follow) {
            throw CliException
                    .usage("--html writes what there is, and --follow waits for more; give one of them");
        }
        try (Lasting access = new Lasting(desk())) {
            ConversationView view = access.ask(found -> found.control().conversation(id, attempt));
            if (html != null) {
                write(html, view);
                screen().say("written to " + html);
            } else if (format().isForPeople()) {
                print(access, view);
            } else {
                format().one(screen(), view, _ -> {});
            }
            return Exit.OK;
        }
    }

    private static void write(Path file, ConversationView view) {
        Conversation conversation = ControlJson.read(ControlJson.bytes(view.conversation()),
                Conversation.class);
        try {
            Files.writeString(file, HtmlView.page("job " + view.id(), view.prompt(), conversation));
        } catch (IOException e) {
            throw FileTrouble.writing(file, e);
        }
    }

    /** What people read is the output of an agent's run, and comes as all output does. */
    private void print(Lasting access, ConversationView view) throws InterruptedException {
        OutputTap tap = new OutputTap(screen(),
                attempt == null && follow ? null : Integer.valueOf(view.attempt()));
        while (true) {
            boolean over = access.ask(found -> tap.pour(query -> found.control().output(id, query),
                    follow && found.remote() ? BETWEEN : Duration.ZERO));
            if (over || (!follow && tap.isDry())) {
                return;
            }
            Thread.sleep(tap.isDry() ? BETWEEN.dividedBy(5) : Duration.ZERO);
        }
    }
}
