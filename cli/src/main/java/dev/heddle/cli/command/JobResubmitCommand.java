package dev.heddle.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.ResubmitDraft;
import dev.heddle.control.model.SubmitResult;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Submits a job again, as a new one. */
@Command(name = "resubmit", description = {"Submit a job again as a new job, and print its id.",
    "The new job has the options of the old one, but no parent and no dedupe key, and starts at once."},
        footerHeading = "%nExamples:%n",
        footer = {"  heddle job resubmit 0190 --edit", "  heddle job resubmit 0190 -p '{\"seconds\": 2}'"})
final class JobResubmitCommand extends ControlCommand {

    @Mixin
    private final JobIdParameter id = new JobIdParameter();

    @Option(names = {"-p", "--payload"}, paramLabel = "JSON|@FILE|-",
            description = "Payload of the new job: JSON, a file or standard input (default: the same).")
    private @Nullable String payload;

    @Option(names = "--edit", description = "Edit the payload in the editor that VISUAL or EDITOR names (default: vi).")
    private boolean edit;

    JobResubmitCommand(CliContext context) {
        super(context, Intent.WRITE);
    }

    @Override
    void validate() {
        if (edit && payload != null) {
            throw CliException.usage("use --payload or --edit, not both");
        }
    }

    @Override
    ExitCode execute(Control control) throws Exception {
        JsonNode changed = payload != null ? new PayloadReader(context().in()).one(payload)
                : edit ? edited(control.job(id.get()).payload()) : null;
        SubmitResult submitted = control.resubmit(id.get(), new ResubmitDraft(changed, null));
        submitted.warnings().forEach(output()::info);
        format().many(output(), submitted.jobs(), jobs -> jobs.forEach(job -> output().print(job.id())));
        return ExitCode.OK;
    }

    /** Lets the user edit a payload. The file may hold secrets, so only the user can read it. */
    private JsonNode edited(JsonNode old) throws IOException, InterruptedException {
        Path file = Files.createTempFile("payload-", ".json");
        try {
            byte[] before = (ControlJson.pretty(old) + "\n").getBytes(StandardCharsets.UTF_8);
            Files.write(file, before);
            // A shell splits the arguments of the editor, as git and others do.
            int exit = new ProcessBuilder("sh", "-c", editor() + " \"$1\"", "sh", file.toString()).inheritIO().start()
                    .waitFor();
            if (exit != 0) {
                throw CliException.usage("the editor ended with exit code " + exit + "; nothing was submitted");
            }
            if (Arrays.equals(before, Files.readAllBytes(file))) {
                throw CliException.usage("the payload was not changed; nothing was submitted. Leave --edit out to "
                        + "submit the same payload again");
            }
            return new PayloadReader(context().in()).one("@" + file);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private String editor() {
        Map<String, String> environment = context().options().environment();
        return Stream.of("VISUAL", "EDITOR").map(name -> environment.getOrDefault(name, ""))
                .filter(editor -> !editor.isBlank()).findFirst().orElse("vi");
    }
}
