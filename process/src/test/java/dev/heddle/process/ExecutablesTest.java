package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ExecutablesTest {

    @TempDir
    Path directory;

    private Map<String, String> path() {
        return Map.of("PATH", directory + ":/usr/bin:/bin");
    }

    private Path tool(String name, String script) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    @Test
    void acceptsToolsOnThePathAndReadsTheirVersions() throws IOException {
        Path good = tool("good", "echo; echo good 1.2; echo more");
        Path failing = tool("failing", "exit 1");

        Executables.require(List.of("good", "failing", "git"), path());
        assertThat(Executables.version(good, path())).isEqualTo("good 1.2");
        assertThat(Executables.version(failing, path())).isEmpty();
    }

    @Test
    void namesAllMissingTools() {
        assertThatThrownBy(() -> Executables.require(List.of("git", "no-such-a", "no-such-b"), path()))
                .isInstanceOfSatisfying(LaunchException.class, e -> assertThat(e.kind().exitCode()).isEqualTo(3))
                .hasMessageStartingWith("tools not found on the PATH: no-such-a, no-such-b; install");
    }

    @Test
    void ignoresFilesThatAreNotExecutable() throws IOException {
        Files.writeString(directory.resolve("plain"), "");
        Files.createDirectory(directory.resolve("folder"));

        assertThat(Executables.find("plain", directory.toString())).isEmpty();
        assertThat(Executables.find("folder", directory.toString())).isEmpty();
        assertThat(Executables.find("sh", "/nowhere:/bin")).contains(Path.of("/bin/sh"));
    }
}
