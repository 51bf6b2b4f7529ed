package dev.heddle.examples.checks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.examples.ExampleRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class BranchChecksTest {

    @TempDir
    Path directory;

    private void git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=Ann", "-c", "user.email=a@b"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start().waitFor())
                .isZero();
    }

    @Test
    void countsWordsOnEveryBranchAndKeepsTheChanges() throws Exception {
        git("init", "-q", "-b", "main");
        Files.writeString(directory.resolve("text"), "one two three\n");
        git("add", "text");
        git("commit", "-q", "-m", "first");
        git("checkout", "-q", "-b", "short");
        Files.writeString(directory.resolve("text"), "one\n");
        git("commit", "-q", "-a", "-m", "second");

        assertThat(ExampleRunner.printed(BranchChecks::main, directory.resolve(".heddle").toString(),
                directory.toString(),
                "text", "main", "short"))
                .containsExactly("main: 3 words, exit 0, changes refs/heddle/JOB/1",
                        "short: 1 words, exit 0, changes refs/heddle/JOB/1");
        assertThat(directory.resolve("text")).hasContent("one");
    }
}
