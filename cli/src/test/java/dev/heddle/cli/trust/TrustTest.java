package dev.heddle.cli.trust;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Uses homes and configurations that the user did not write. */
class TrustTest {

    private static final int NOBODY = 65_534;

    @TempDir
    private Path directory;

    @BeforeEach
    void createARepository() throws Exception {
        Files.createDirectory(project());
        git("init", "-q");
    }

    private Path project() {
        return directory.resolve("project");
    }

    private Path config() {
        return project().resolve("heddle.yaml");
    }

    private Answer call(Map<String, String> environment, String... args) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("XDG_CONFIG_HOME", directory.resolve("config").toString());
        List<String> words = new ArrayList<>(List.of("--home", project().resolve(".heddle").toString()));
        words.addAll(Arrays.asList(args));
        return new Cli(all).call(words.toArray(String[]::new));
    }

    private Answer call(String... args) {
        return call(Map.of(), args);
    }

    private void git(String... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=a@example.org"));
        line.addAll(Arrays.asList(args));
        Process git = new ProcessBuilder(line).directory(project().toFile()).redirectErrorStream(true).start();
        String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as(output).isZero();
    }

    @Test
    void isNotNeededForFilesOfTheUser() throws Exception {
        Files.writeString(config(), "workers: 3\n");
        assertThat(call("job", "list").exit()).isZero();
        assertThat(call("trust").err()).contains("nothing to do");
        assertThat(directory.resolve("config")).doesNotExist();
    }

    @Test
    void isNeededForAConfigurationThatGitTracksAndAgainAfterEachChange() throws Exception {
        Files.writeString(config(), "workers: 3\n");
        git("add", "heddle.yaml");
        for (String[] command : List.of(new String[]{"job", "list"}, new String[]{"stats"},
                new String[]{"db", "status"}, new String[]{"serve"}, new String[]{"run", "true"})) {
            Answer refused = call(command);
            assertThat(refused.exit()).as(command[0]).isEqualTo(4);
            assertThat(refused.err().strip()).hasLineCount(1).endsWith(config() + " is tracked by git, and it decides"
                    + " which programs run with your secrets; read it, then run 'heddle trust " + project() + "'");
        }
        assertThat(project().resolve(".heddle")).doesNotExist();
        assertThat(call(Map.of(Trust.VARIABLE, "1"), "job", "list").exit()).isZero();

        assertThat(call("trust").err()).isEqualTo("heddle: trusted: " + config() + "\n");
        Path kept = directory.resolve("config/heddle/trusted");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept))).isEqualTo("rw-------");
        assertThat(call("job", "list").exit()).isZero();
        assertThat(call("trust", "--list").out().strip()).isEqualTo(config().toRealPath().toString());

        Files.writeString(config(), "workers: 4\n");
        assertThat(call("job", "list").exit()).isEqualTo(4);
        assertThat(call("job", "list").err()).contains("has changed since you trusted it");
        assertThat(call("trust", project().toString()).exit()).isZero();
        assertThat(call("job", "list").exit()).isZero();
        assertThat(call("trust", "--remove").exit()).isZero();
        assertThat(call("job", "list").exit()).isEqualTo(4);
        assertThat(call("trust", "--remove").exit()).isEqualTo(3);
    }

    @Test
    void isNeededForAHomeWithFilesThatGitTracks() throws Exception {
        Files.createDirectory(project().resolve(".heddle"));
        Files.writeString(project().resolve(".heddle/node.json"), "{}");
        assertThat(call("stats").exit()).isZero();
        git("add", "-f", ".heddle/node.json");
        assertThat(call("stats").exit()).isEqualTo(4);
        assertThat(call("stats").err()).contains("project/.heddle is tracked by git");
        assertThat(call("trust").exit()).isZero();
        assertThat(call("stats").exit()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "4"})
    void knowsWhatGitTracksInEveryVersionOfItsIndex(String version) throws Exception {
        List<String> names = List.of("a", "ab/heddle.yam", "ab/heddle.yaml", "ab/heddle.yaml2", "ab/long name.txt",
                "b/heddle.yaml.d/x", "z");
        for (String name : names) {
            Files.createDirectories(project().resolve(name).getParent());
            Files.writeString(project().resolve(name), name);
        }
        git("add", ".");
        git("update-index", "--index-version", version);
        Files.writeString(project().resolve("ab/untracked"), "");
        Files.writeString(project().resolve("y"), "");
        for (String name : names) {
            assertThat(GitIndex.tracks(project().resolve(name))).as(name).isTrue();
        }
        assertThat(GitIndex.tracks(project().resolve("b"))).isTrue();
        assertThat(GitIndex.tracks(project().resolve("ab/untracked"))).isFalse();
        assertThat(GitIndex.tracks(project().resolve("y"))).isFalse();
    }

    @Test
    void followsLinksAndWorktreesAndDoubtsWhatItCannotRead() throws Exception {
        Files.writeString(config(), "");
        git("add", ".");
        git("commit", "-q", "-m", "first");
        Path link = Files.createSymbolicLink(directory.resolve("heddle.yaml"), config());
        assertThat(GitIndex.tracks(link)).isTrue();
        git("worktree", "add", "-q", directory.resolve("other").toString());
        assertThat(GitIndex.tracks(directory.resolve("other/heddle.yaml"))).isTrue();
        Path own = Files.writeString(directory.resolve("other/own"), "");
        assertThat(GitIndex.tracks(own)).isFalse();

        git("update-index", "--split-index");
        assertThat(GitIndex.tracks(config())).isTrue();
        Files.writeString(project().resolve(".git/index"), "nonsense");
        assertThat(GitIndex.tracks(config())).isTrue();
    }

    @Test
    void isNeededForFilesOfAnotherUser() throws Exception {
        Assumptions.assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0, "only root can chown");
        Files.writeString(config(), "");
        Files.setAttribute(config(), "unix:uid", NOBODY);
        assertThat(call("stats").exit()).isEqualTo(4);
        assertThat(call("stats").err()).contains("heddle.yaml belongs to ");
        assertThat(call(Map.of("SUDO_UID", String.valueOf(NOBODY)), "stats").exit()).isZero();
        assertThat(call("trust").exit()).isZero();
        assertThat(call("stats").exit()).isZero();
        Files.setAttribute(directory.resolve("config/heddle/trusted"), "unix:uid", NOBODY);
        assertThat(call("stats").exit()).as("a list of another user").isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000, '', false", "0, 1000, '', false", "1001, 1000, '', true", "1001, 1000, 1001, true",
        "1000, 0, '', true", "1000, 0, 1000, false", "1001, 0, 1000, true", "0, 0, '', false"})
    void belongsToAnotherUser(int owner, int self, String sudo, boolean foreign) {
        assertThat(FileOwner.isForeign(owner, self, sudo)).isEqualTo(foreign);
    }
}
