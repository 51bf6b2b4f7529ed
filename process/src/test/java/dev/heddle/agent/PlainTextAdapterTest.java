package dev.heddle.agent;

import java.nio.file.Path;

import dev.heddle.agent.AgentOutcome.Failed;
import dev.heddle.agent.AgentOutcome.Reason;
import dev.heddle.agent.AgentOutcome.Succeeded;
import dev.heddle.agent.EndRules.Cause;
import dev.heddle.conversation.Part.Note;
import dev.heddle.conversation.Part.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class PlainTextAdapterTest {

    @TempDir
    private Path directory;

    @Test
    void theOutputIsTheAnswerIfTheExitCodeIsZero() {
        Replay run = Replay.of(new PlainTextAdapter(), "Dear all,\n\n{\"no\":\"event\"}\nyours", directory);
        assertThat(run.exit(0)).isEqualTo(new Succeeded("Dear all,\n\n{\"no\":\"event\"}\nyours\n"));
        assertThat(run.exit(1)).isEqualTo(new Failed(Reason.EXIT, "text exited with 1", null));
        assertThat(run.outcome(new Cause.Stalled())).isInstanceOfSatisfying(Failed.class,
                failed -> assertThat(failed.reason()).isEqualTo(Reason.STALLED));
        assertThat(run.conversation().turns()).singleElement().extracting(turn -> turn.parts().getFirst())
                .isEqualTo(new Text("Dear all,\n\n{\"no\":\"event\"}\nyours\n"));
        assertThat(run.conversation().totals().cost()).isNull();
    }

    @Test
    void showsOnlyTheBeginningOfAVeryLongLine() {
        Replay run = Replay.of(new PlainTextAdapter(), "y".repeat(20 << 20) + "\nend\n", directory);
        assertThat(run.conversation().turns().getFirst().parts()).singleElement().isInstanceOfSatisfying(Note.class,
                note -> assertThat(note.text()).hasSizeLessThan(300)
                        .startsWith("[a line of 20971520 bytes, complete in the transcript] yyy"));
        assertThat(run.exit(0)).isEqualTo(new Succeeded("end\n"));
    }
}
