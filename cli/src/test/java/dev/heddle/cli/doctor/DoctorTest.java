package dev.heddle.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.shell.Exit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class DoctorTest {

    @TempDir private Path directory;

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Answer examine(Map<String, String> more, String... options) {
        var environment = new HashMap<>(more);
        environment.put("HEDDLE_HOME", home().toString());
        String[] args = new String[options.length + 1];
        args[0] = "doctor";
        System.arraycopy(options, 0, args, 1, options.length);
        return new Cli(environment).call(args);
    }

    private void finds(Answer answer, String about, String found, String fix) {
        assertThat(answer.exit()).as(answer.out()).isEqualTo(Exit.FAILED.code());
        assertThat(answer.out()).containsPattern("WRONG +" + about + " .*" + found)
                .contains("fix " + about + ": ").contains(fix);
    }

    @Test
    void findsNothingWrongWithASoundHome() {
        Answer fresh = examine(Map.of());
        assertThat(fresh.exit()).as(fresh.out()).isZero();
        assertThat(fresh.out().lines().skip(1)).hasSize(8).allMatch(line -> line.startsWith("ok "));
        assertThat(home()).doesNotExist();

        new Cli(Map.of("HEDDLE_HOME", home().toString())).call("submit", "echo");
        Answer used = examine(Map.of(), "-o", "json");
        assertThat(used.exit()).isZero();
        JsonNode findings = JsonMapper.shared().readTree(used.out());
        assertThat(findings.valueStream().map(finding -> finding.at("/about").asString())).containsExactly(
                "java",
                "git", "disk", "permissions", "configuration", "node", "store", "clock");
    }

    @Test
    void missesGit() {
        finds(examine(Map.of("PATH", directory.toString())), "git", "not found", "install git");
    }

    @Test
    void seesAHomeThatIsOpenToOthers() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("rwxr-xr-x"));
        finds(examine(Map.of()), "permissions", "open to others", "chmod 700 " + home());
    }

    @Test
    void seesASecretThatIsOpenToOthers() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("rwx------"));
        Path config = Files.writeString(directory.resolve("heddle.yaml"), "server:\n  token: abc\n");
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
        finds(examine(Map.of()), "permissions", "has a secret", "chmod 600 " + config);
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-------"));
        assertThat(examine(Map.of()).exit()).isZero();
    }

    @Test
    void seesAWrongConfiguration() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), "wrokers: 1\n");
        finds(examine(Map.of()), "configuration", "heddle.yaml:1: unknown key", "correct that line");
    }

    @Test
    void seesThatANodeDidNotClearUp() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("rwx------"));
        Files.writeString(home().resolve("node.json"), "{}");
        finds(examine(Map.of()), "node", "stale", "node.json");
    }

    @Test
    void seesAStoreThatCannotBeRead() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("rwx------"));
        Files.writeString(home().resolve("heddle.db"), "nonsense".repeat(500));
        finds(examine(Map.of()), "store", "not a sound SQLite database", "db status");
    }
}
