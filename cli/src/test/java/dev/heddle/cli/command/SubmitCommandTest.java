package dev.heddle.cli.command;

import java.util.Collections;
import java.util.List;

import dev.heddle.control.model.JobDraft;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.StringNode;

import static org.assertj.core.api.Assertions.assertThat;

class SubmitCommandTest {

    private static List<JobDraft> drafts(int count, int characters) {
        return Collections.nCopies(count, JobDraft.of("a", StringNode.valueOf("x".repeat(characters))));
    }

    @Test
    void limitsTheSizeOfARequest() {
        assertThat(SubmitCommand.end(drafts(2_500, 1), 0)).isEqualTo(1_000);
        assertThat(SubmitCommand.end(drafts(2_500, 1), 2_000)).isEqualTo(2_500);
        assertThat(SubmitCommand.end(drafts(5, 3_000_000), 0)).as("eight million characters").isEqualTo(3);
        assertThat(SubmitCommand.end(drafts(2, 9_000_000), 0)).as("at least one").isEqualTo(1);
    }
}
