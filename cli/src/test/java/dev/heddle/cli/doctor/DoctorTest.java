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
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.GlobalOptions;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class DoctorTest {

    @TempDir
    private Path directory;

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Answer doctor(Map<String, String> more, String... options) {
        var environment = new HashMap<>(more);
        environment.put("HEDDLE_HOME", home().toString());
        String[] args = new String[options.length + 1];
        args[0] = "doctor";
        System.arraycopy(options, 0, args, 1, options.length);
        return new Cli(environment).call(args);
    }

    private void assertFinding(Answer answer, String about, String found, String fix) {
        assertThat(answer.exit()).as(answer.out()).isEqualTo(ExitCode.FAILED.code());
        assertThat(answer.out()).containsPattern("WRONG +" + about + " .*" + found).contains("fix " + about + ": ")
                .contains(fix);
    }

    @Test
    void reportsNoProblemsForAHealthyHome() {
        Answer fresh = doctor(Map.of());
        assertThat(fresh.exit()).as(fresh.out()).isZero();
        assertThat(fresh.out().lines().skip(1)).hasSize(11).allMatch(line -> line.startsWith("ok "));
        assertThat(home()).doesNotExist();

        new Cli(Map.of("HEDDLE_HOME", home().toString())).call("submit", "echo");
        Answer used = doctor(Map.of(), "-o", "json");
        assertThat(used.exit()).isZero();
        JsonNode findings = JsonMapper.shared().readTree(used.out());
        assertThat(findings.valueStream().map(finding -> finding.at("/about").asString())).containsExactly("java",
                "git", "disk", "memory", "processes", "sandbox", "permissions", "configuration", "node", "store",
                "clock");
    }

    @Test
    void reportsAnOldJava() {
        assertThat(DoctorChecks.java(Runtime.Version.parse("24.0.2")))
                .matches(finding -> !finding.ok() && finding.fix().equals("install JDK 25 or newer"));
        assertThat(DoctorChecks.java(Runtime.Version.parse("25"))).matches(Finding::ok);
    }

    @Test
    void reportsAFullDisk() {
        assertThat(DoctorChecks.disk(512L << 20, home())).matches(Finding::ok);
        assertThat(DoctorChecks.disk((512L << 20) - 1, home())).satisfies(finding -> {
            assertThat(finding.ok()).isFalse();
            assertThat(finding.found()).isEqualTo("511 MiB free in " + home());
            assertThat(finding.fix()).contains("requires 512 MiB");
        });
    }

    @Test
    void reportsAClockThatIsBehindTheJobs() {
        assertThat(new Cli(Map.of("HEDDLE_HOME", home().toString())).call("submit", "echo").exit()).isZero();
        assertThat(clock(Duration.ofHours(1)).ok()).as("jobs are in the past").isTrue();
        Finding behind = clock(Duration.ofHours(-1));
        assertThat(behind.ok()).isFalse();
        assertThat(behind.found()).contains("the newest job was submitted at");
        assertThat(behind.fix()).contains("NTP");
    }

    private Finding clock(Duration ahead) {
        PrintWriter discard = new PrintWriter(Writer.nullWriter());
        CliContext context = new CliContext(new CliOutput(discard, discard, Terminal.NONE),
                new GlobalOptions(Map.of("HEDDLE_HOME", home().toString())), InputStream.nullInputStream(),
                () -> Instant.now().plus(ahead));
        return new DoctorChecks(context).all().getLast();
    }

    /** Drops the capabilities of root in the child, because root can write everywhere. */
    @Test
    void reportsAHomeThatIsNotWritable() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("r-x------"));
        List<String> prefix = ProcessHandle.current().info().user().orElse("").equals("root")
                ? List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all") : List.of();
        try (ChildJvm child = ChildJvm.startIn(prefix, Main.class, "--home", home().toString(), "doctor")) {
            assertThat(child.exitCode(Duration.ofMinutes(1))).isEqualTo(ExitCode.FAILED.code());
            assertThat(child.lines())
                    .anyMatch(line -> line.matches("WRONG +permissions +" + home() + " is not accessible to you"))
                    .contains("fix permissions: change its owner to you, or choose another home with HEDDLE_HOME");
        }
    }

    @Test
    void reportsMissingGit() {
        assertFinding(doctor(Map.of("PATH", directory.toString())), "git", "not found", "install git");
    }

    @Test
    void reportsAHomeThatOthersCanAccess() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("rwxr-xr-x"));
        assertFinding(doctor(Map.of()), "permissions", "accessible to others", "chmod 700 " + home());
    }

    @Test
    void reportsASecretThatOthersCanRead() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("rwx------"));
        Path config = Files.writeString(directory.resolve("heddle.yaml"), "server:\n  token: abc\n");
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
        assertFinding(doctor(Map.of()), "permissions", "contains a secret", "chmod 600 " + config);
        Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-------"));
        assertThat(doctor(Map.of()).exit()).isZero();
    }

    @Test
    void reportsAnInvalidConfiguration() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), "wrokers: 1\n");
        assertFinding(doctor(Map.of()), "configuration", "heddle.yaml:1: unknown key", "fix that line");
    }

    @Test
    void reportsAStaleNodeFile() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("rwx------"));
        Files.writeString(home().resolve("node.json"), "{}");
        assertFinding(doctor(Map.of()), "node", "stale", "node.json");
    }

    @Test
    void reportsAnUnreadableStore() throws Exception {
        Files.createDirectory(home());
        Files.setPosixFilePermissions(home(), PosixFilePermissions.fromString("rwx------"));
        Files.writeString(home().resolve("heddle.db"), "nonsense".repeat(500));
        assertFinding(doctor(Map.of()), "store", "SQLite database", "db status");
    }

    /** A user of its own is a matter of the machine, so the test does not depend on who runs it. */
    @Test
    void findsNothingGivenAwayByDefault() {
        Answer answer = doctor(Map.of(), "--security");

        assertThat(answer.out().lines().skip(1).filter(line -> line.startsWith("ok "))).hasSizeGreaterThanOrEqualTo(8);
        assertThat(answer.out().lines().filter(line -> line.startsWith("WRONG")))
                .allMatch(line -> line.contains("runs as root"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            server: {host: 0.0.0.0, token: 9f8b7c6d5e4a3021ffee} | listener | without TLS | server.tls
            server: {allowRun: true} | command lines | from other machines | server.allowRun
            store: {postgresql: {url: 'jdbc:postgresql://db/x?password=y'}} | database | the password | ${NAME}
            store: {postgresql: {url: 'jdbc:postgresql://db/x'}} | database | not verified | verify-full
            types: {review: {agent: claude, program: [cat]}} | agents | review can reach | isolation: sandbox
            process: {protectNode: false} | node memory | can read its secrets | protectNode
            worktree: {trustRepositories: true} | repositories | runs programs | trustRepositories
            webhooks: {allowPrivate: true} | webhooks | not public | allowPrivate
            """)
    void findsWhatAConfigurationGivesAway(String yaml, String about, String found, String fix) throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), yaml + "\n");

        assertFinding(doctor(Map.of(), "--security"), about, found, fix);
    }

    @Test
    void findsAStoreThatOthersCanRead() throws Exception {
        Files.createDirectory(home(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createFile(home().resolve("heddle.db"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));

        assertFinding(doctor(Map.of(), "--security"), "files", "heddle.db can be read by others", "chmod go-rwx");
    }
}
