package dev.heddle.cli.command;

import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.shell.ExitCode;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What the commands do that repeat, continue or review the work of a job. */
abstract class SteerCommandContract extends CommandContract {

    private Answer edit(String id, String editor) {
        return new Cli(Map.of("HEDDLE_HOME", home().toString(), "EDITOR", editor)).call("job", "resubmit", id,
                "--edit");
    }

    @Test
    void submitsAJobAgainWithAnotherPayload() {
        String id = submit("--payload {\"n\":1} --queue night --tag blue");
        String again = ok("job resubmit " + id + " --payload {\"n\":2}");
        JsonNode detail = json("job show " + again);
        assertThat(again).isNotEqualTo(id);
        assertThat(detail.at("/payload/n").asInt()).isEqualTo(2);
        assertThat(detail.at("/job/queue").asString()).isEqualTo("night");
        assertThat(detail.at("/job/tags/0").asString()).isEqualTo("blue");
        assertThat(detail.at("/job/headers/heddle-resubmitted-from").asString()).isEqualTo(id);
        assertThat(json("job show " + ok("job resubmit " + id)).at("/payload/n").asInt()).isEqualTo(1);
    }

    @Test
    void submitsAJobAgainWithAPayloadFromTheEditor() {
        String id = submit("--payload {\"n\":1}");
        Answer edited = edit(id, "sed -i s/1/3/");
        assertThat(edited.exit()).as(edited.err()).isZero();
        assertThat(json("job show " + edited.out().strip()).at("/payload/n").asInt()).isEqualTo(3);

        assertThat(edit(id, "true").err()).contains("the payload was not changed; nothing was submitted");
        assertThat(edit(id, "false").err()).contains("the editor ended with exit code 1; nothing was submitted");
        assertThat(edit(id, "sed -i s/1/{/").exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(call("job", "resubmit", id, "--edit", "--payload", "{}").err())
                .contains("use --payload or --edit, not both");
    }

    @Test
    void retriesOnlyDeadLettersFromAStep() {
        String id = submit("");
        Answer answer = call("job", "retry", id, "--from-step", "charge");
        assertThat(answer.exit()).isEqualTo(ExitCode.FAILED.code());
        assertThat(answer.err()).contains("cannot retry job " + id + ": it is QUEUED");
    }

    @Test
    void saysWhatThereIsToShowOrToContinue() {
        String id = submit("");
        assertThat(call("job", "diff", id).err()).contains("job " + id + " has changed nothing in a worktree");
        ok("job cancel " + id);
        assertThat(call("job", "continue", id, "--comment", "Go on").err())
                .contains("cannot continue job " + id + ": no agent ran");
    }
}
