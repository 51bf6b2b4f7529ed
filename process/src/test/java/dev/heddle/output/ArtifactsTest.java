package dev.heddle.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.heddle.output.Artifacts.Collected;
import dev.heddle.run.Run.Artifact;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ArtifactsTest {

    @TempDir
    Path directory;
    private Path from;
    private Path to;

    @BeforeEach
    void create() throws IOException {
        from = Files.createDirectories(directory.resolve("from/build/reports/deep"));
        from = directory.resolve("from");
        to = directory.resolve("to");
        Files.writeString(from.resolve("build/reports/one.xml"), "one");
        Files.writeString(from.resolve("build/reports/deep/two.xml"), "two");
        Files.writeString(from.resolve("top.xml"), "top");
        Files.writeString(from.resolve("notes.txt"), "notes");
        Files.createDirectories(from.resolve(".git"));
        Files.writeString(from.resolve(".git/config.xml"), "not an artifact");
        Files.writeString(directory.resolve("secret.xml"), "secret");
    }

    private List<String> collected(String... globs) throws IOException {
        return Artifacts.of(List.of(globs)).collect(from, to).artifacts().stream().map(Artifact::path).sorted()
                .toList();
    }

    @Test
    void copiesMatchingFiles() throws IOException {
        assertThat(collected("build/reports/*.xml")).containsExactly("build/reports/one.xml");
        assertThat(to.resolve("build/reports/one.xml")).hasContent("one");
        assertThat(collected("**/*.xml")).containsExactly("build/reports/deep/two.xml", "build/reports/one.xml",
                "top.xml");
        assertThat(collected("./build/reports/")).containsExactly("build/reports/deep/two.xml",
                "build/reports/one.xml");
        assertThat(collected("*.{txt,md}")).containsExactly("notes.txt");
        assertThat(collected()).isEmpty();
    }

    @Test
    void reportsTheirSize() throws IOException {
        assertThat(Artifacts.of(List.of("top.xml")).collect(from, to))
                .isEqualTo(new Collected(List.of(new Artifact("top.xml", 3)), List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../secret.xml", "build/../../secret.xml", "/etc/passwd", "**/..", "", " ",
        "{a,../secret.xml}", "\\\\host\\share", "C:/x", "a\\..\\..\\x"})
    void rejectsGlobsOutsideOfTheDirectory(String glob) {
        assertThatThrownBy(() -> Artifacts.of(List.of(glob))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("artifact '" + glob + "' is outside of the working directory");
    }

    @Test
    void rejectsInvalidGlobs() {
        assertThatThrownBy(() -> Artifacts.of(List.of("a[b"))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("artifact 'a[b' is not a valid glob");
    }

    @Test
    void rejectsLinksOutOfTheDirectory() throws Exception {
        Files.createSymbolicLink(from.resolve("build/out.xml"), directory.resolve("secret.xml"));
        Files.createSymbolicLink(from.resolve("build/within.xml"), Path.of("../top.xml"));
        Files.createSymbolicLink(from.resolve("build/nowhere.xml"), Path.of("missing"));
        Files.createSymbolicLink(from.resolve("build/directory"), directory);
        assertThat(new ProcessBuilder("mkfifo", from.resolve("build/pipe.xml").toString()).start().waitFor()).isZero();
        Collected collected = Artifacts.of(List.of("build/*", "build/directory/**")).collect(from, to);
        assertThat(collected.artifacts()).extracting(Artifact::path).containsExactlyInAnyOrder("build/within.xml",
                "build/reports/one.xml", "build/reports/deep/two.xml");
        assertThat(to.resolve("build/within.xml")).isRegularFile().hasContent("top");
        assertThat(collected.rejected()).containsExactlyInAnyOrder(
                "build/out.xml: a symbolic link that leaves the working directory",
                "build/nowhere.xml: a symbolic link to a file that does not exist",
                "build/directory: a symbolic link that leaves the working directory",
                "build/pipe.xml: not a regular file");
    }
}
