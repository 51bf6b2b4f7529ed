package dev.heddle.cli.doctor;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.Main;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Place;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.testkit.ChildJvm;
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
        assertThat(fresh.out().lines().skip(1)).hasSize(10).allMatch(line -> line.startsWith("ok "));
        assertThat(home()).doesNotExist();

        new Cli(Map.of("HEDDLE_HOME", home().toString())).call("submit", "echo");
        Answer used = examine(Map.of(), "-o", "json");
        assertThat(used.exit()).isZero();
        JsonNode findings = JsonMapper.shared().readTree(used.out());
        assertThat(findings.valueStream().map(finding -> finding.at("/about").asString())).containsExactly(
                "java",
                "git", "disk", "memory", "processes", "permissions", "configuration", "node", "store",
                "clock");
    }

    @Test
    void seesThatTheJavaIsTooOld() {
        assertThat(Examination.java(Runtime.Version.parse("24.0.2")))
                .matches(finding -> !finding.ok() && finding.fix().equals("install a JDK 25 or newer"));
        assertThat(Examination.java(Runtime.Version.parse("25"))).matches(Finding::ok);
    }

    @Test
    void seesThatTheDiskIsNearlyFull() {
        assertThat(Examination.disk(512L << 20, home())).matches(Finding::ok);
        assertThat(Examination.disk((512L << 20) - 1, home())).satisfies(finding -> {
            assertThat(finding.ok()).isFalse();
            assertThat(finding.found()).isEqualTo("511 MiB free for " + home());
            assertThat(finding.fix()).contains("512 MiB must be free");
        });
    }

    @Test
    void seesThatTheClockStandsBehindThatOfTheJobs() {
        assertThat(new Cli(Map.of("HEDDLE_HOME", home().toString())).call("submit", "echo").exit()).isZero();
        assertThat(clock(Duration.ofHours(1)).ok()).as("jobs are older than now").isTrue();
        Finding behind = clock(Duration.ofHours(-1));
        assertThat(behind.ok()).isFalse();
        assertThat(behind.found()).contains("the newest job is of");
        assertThat(behind.fix()).contains("NTP");
    }

    private Finding clock(Duration ahead) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Desk desk = new Desk(new Screen(nowhere, nowhere, Terminal.NONE),
                new Place(Map.of("HEDDLE_HOME", home().toString())), InputStream.nullInputStream(),
                () -> Instant.now().plus(ahead));
        return new Examination(desk).all().getLast();
    }

    /** Root may write everywhere, so the child goes without what makes root special. */
    @Test
    void seesAHomeThatCannotBeWritten() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("r-x------"));
        List<String> prefix = ProcessHandle.current().info().user().orElse("").equals("root")
                ? List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all")
                : List.of();
        try (ChildJvm doctor = ChildJvm.startIn(prefix, Main.class, "--home", home().toString(), "doctor")) {
            assertThat(doctor.exitCode(Duration.ofMinutes(1))).isEqualTo(Exit.FAILED.code());
            assertThat(doctor.lines()).anyMatch(
                    line -> line.matches("WRONG +permissions +" + home() + " cannot be used by you"))
                    .contains("fix permissions: chown it to you, or choose another home with HEDDLE_HOME");
        }
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
