package dev.heddle.cli.serve;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.TestCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.heddle.cli.Cli.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** A node as a process: signals, crashes and errors at the start. */
@Timeout(300)
class ServeTest {

    @TempDir
    private Path directory;

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Answer call(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", home().toString())).call(args);
    }

    private String submit(String... args) {
        Answer answer = call(Stream.concat(Stream.of("submit"), Stream.of(args)).toArray(String[]::new));
        assertThat(answer.exit()).as(answer.err()).isZero();
        return answer.out().strip();
    }

    private static Set<String> unpackedLibraries() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("sqlite-") && name.contains("jdbc")).collect(Collectors.toSet());
        }
    }

    @Test
    void servesCommandsAndStopsOnASignal() throws Exception {
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            assertThat(node.lines()).anyMatch(line -> line
                    .matches("heddle: node \\S+ on \\S+/heddle.db, 4 workers, types echo, sleep, fail, run, batch"));
            for (String file : List.of("node.json", "token")) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home().resolve(file))))
                        .isEqualTo("rw-------");
            }
            Answer answer = call("submit", "echo", "--payload", "{\"a\":1}", "--wait");
            assertThat(answer.out()).as(answer.err()).isEqualToIgnoringNewLines("{\"a\":1}");
            assertThat(answer.exit()).isZero();
            assertThat(call("node", "list").out()).contains("ALIVE").contains("(this one)");
            assertThat(call("submit", "ecko").err()).contains("'ecko'").contains("echo");
            String sleeping = submit("sleep", "--payload", "{\"seconds\":600}");
            await().until(() -> call("job", "show", sleeping).out().contains("RUNNING"));

            node.signal("TERM");
            assertThat(node.exitCode()).as(node.lines().toString()).isZero();
            assertThat(node.lines()).contains("heddle: stopping; press Ctrl-C again to force").last().asString()
                    .startsWith("heddle: stopped: 0 finished, 1 requeued, ");
            assertThat(call("job", "show", sleeping).out()).contains("QUEUED");
        }
        assertThat(home().resolve("node.json")).doesNotExist();
        assertThat(home().resolve("token")).doesNotExist();
    }

    @Test
    void recoversAfterAKillAndLeavesNoTemporaryFiles() throws Exception {
        Set<String> before = unpackedLibraries();
        String id;
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            id = submit("sleep", "--payload", "{\"seconds\":600}");
            await().until(() -> call("job", "show", id).out().contains("RUNNING"));
            node.kill();
            assertThat(node.exitCode()).isEqualTo(ExitCode.KILLED.code());

            Answer stale = call("job", "list");
            assertThat(stale.exit()).isZero();
            assertThat(stale.err()).isEqualToIgnoringNewLines(
                    "heddle: ignoring stale node.json in " + home() + ": process " + node.pid() + " does not exist");
            assertThat(stale.out()).contains(id);
            assertThat(call("node", "list").out()).contains("EXPIRED").doesNotContain("ALIVE");
            assertThat(call("worker", "list").out()).doesNotContain("READY", "BUSY");
        }
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            await().until(() -> call("job", "show", id).out().contains("attempt     2"));
            assertThat(call("job", "show", id).err()).isEmpty();
            call("job", "cancel", id);
            node.signal("INT");
            assertThat(node.exitCode()).isZero();
        }
        assertThat(unpackedLibraries()).isEqualTo(before);
    }

    private String sleepStubbornly() {
        String id = submit("sleep", "--payload", "{\"seconds\":600,\"stubborn\":true}");
        await().until(() -> call("job", "show", id).out().contains("RUNNING"));
        return id;
    }

    @Test
    void keepsTheTimeoutOfADrainEvenIfAnEarlierOneHadNone() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), "closeTimeout: 1h\n");
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            String id = sleepStubbornly();
            assertThat(call("node", "drain").exit()).isZero();
            node.awaitLine("heddle: draining; press Ctrl-C to stop now");
            assertThat(call("node", "drain", "--timeout", "1s").exit()).isZero();
            assertThat(node.exitCode()).as(node.lines().toString()).isZero();
            assertThat(call("job", "show", id).out()).contains("QUEUED");
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void stopsImmediatelyOnASecondSignalAndTheNextNodeRecovers(String signal, int exit) throws Exception {
        String id;
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            id = sleepStubbornly();
            node.signal(signal);
            node.awaitLine("heddle: stopping; press Ctrl-C again to force");
            node.signal(signal);
            assertThat(node.exitCode()).isEqualTo(exit);
            assertThat(node.lines()).contains("heddle: forced stop; running jobs will run again");
        }
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            assertThat(node.lines()).anyMatch(line -> line.startsWith("heddle: recovered 1 job "));
            await().until(() -> call("job", "show", id).out().contains("attempt     2"));
        }
    }

    @Test
    void finishesRunningJobsWhenDrained() throws Exception {
        Path gate = directory.resolve("gate");
        Files.writeString(directory.resolve("heddle.yaml"), """
                types: {hold: {command: [sh, -c, 'until test -e %s; do sleep 0.05; done']}}
                """.formatted(gate));
        try (ServedNode node = ServedNode.start(home(), "--port", "0", "--workers", "1").awaitListening()) {
            String running = submit("hold");
            String waiting = submit("hold");
            await().until(() -> call("job", "show", running).out().contains("RUNNING"));
            Answer answer = call("node", "drain");
            assertThat(answer.out()).as(answer.err()).matches("draining node \\S+: 1 job running\n");
            Files.createFile(gate);
            assertThat(node.exitCode()).as(node.lines().toString()).isZero();
            assertThat(node.lines()).contains("heddle: draining; press Ctrl-C to stop now").last().asString()
                    .startsWith("heddle: stopped: 1 finished, 0 requeued, ");
            assertThat(call("job", "show", running).out()).contains("COMPLETED");
            assertThat(call("job", "show", waiting).out()).contains("QUEUED");
        }
        Answer nobody = call("node", "drain");
        assertThat(nobody.exit()).isEqualTo(ExitCode.NOT_FOUND.code());
        assertThat(nobody.err()).startsWith("heddle node drain: ").hasLineCount(1);
    }

    @Test
    void stopsOnASignalWhileDraining() throws Exception {
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            String id = submit("sleep", "--payload", "{\"seconds\":600}");
            await().until(() -> call("job", "show", id).out().contains("RUNNING"));
            assertThat(call("node", "drain", "--timeout", "1h").exit()).isZero();
            node.awaitLine("heddle: draining; press Ctrl-C to stop now");
            node.signal("TERM");
            assertThat(node.exitCode()).as(node.lines().toString()).isZero();
            assertThat(node.lines()).last().asString().startsWith("heddle: stopped: 0 finished, 1 requeued, ");
        }
    }

    @Test
    void stopsInTimeEvenIfAHandlerIgnoresInterrupts() throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), "closeTimeout: 200ms\n");
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            String id = sleepStubbornly();
            node.signal("TERM");
            assertThat(node.exitCode()).as(node.lines().toString()).isZero();
            assertThat(node.lines()).last().asString().startsWith("heddle: stopped: 0 finished, 0 requeued, ");
            assertThat(call("job", "show", id).out()).contains("QUEUED");
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void exitsOnTheSecondSignal(String signal, int exit) throws Exception {
        try (ChildJvm stubborn = ChildJvm.start(StubbornProgram.class)) {
            stubborn.awaitLine("listening"::equals);
            kill(signal, stubborn);
            stubborn.awaitLine("stop requested"::equals);
            assertThat(stubborn.isAlive()).isTrue();
            kill(signal, stubborn);
            assertThat(stubborn.exitCode(Duration.ofSeconds(30))).isEqualTo(exit);
            assertThat(stubborn.lines()).contains("forced");
        }
    }

    private static void kill(String signal, ChildJvm jvm) throws Exception {
        new ProcessBuilder("kill", "-" + signal, String.valueOf(jvm.pid())).start().waitFor();
    }

    @Test
    void rejectsASecondNodeOnTheSameHome() throws Exception {
        try (ServedNode first = ServedNode.start(home()).awaitListening();
                ServedNode second = ServedNode.start(home())) {
            assertThat(second.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(second.lines()).singleElement().asString()
                    .startsWith("heddle serve: a node is already running on the home " + home() + " (process "
                            + first.pid() + ", http://127.0.0.1:")
                    .endsWith("; stop it, or choose another home with --home");
            assertThat(call("node", "list").exit()).as("the first is not harmed").isZero();
        }
    }

    @Test
    void reportsAPortInUseAndCreatesNothing() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServedNode node = ServedNode.start(home(), "--port", String.valueOf(taken.getLocalPort()))) {
            assertThat(node.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(node.lines()).containsExactly("heddle serve: cannot listen on 127.0.0.1:" + taken.getLocalPort()
                    + ": the port is in use or not permitted; choose another"
                    + " with --port or server.port (0 picks a free one)");
        }
        assertThat(home()).doesNotExist();
    }

    @Test
    void waitsForACommandThatUsesTheStore() throws Exception {
        Files.createDirectories(home());
        SqliteStore command = SqliteStore.at(home().resolve("heddle.db"));
        try (ServedNode node = ServedNode.start(home())) {
            await().until(() -> Files.exists(home().resolve("node.lock")));
            command.close();
            node.awaitListening();
        }
    }

    @Test
    void reportsAHomeThatIsNotWritable() throws Exception {
        Path locked = Files.createDirectory(directory.resolve("locked"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        // Drop the capabilities of root, which can write everywhere.
        List<String> prefix = ProcessHandle.current().info().user().orElse("").equals("root")
                ? List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all") : List.of();
        Path hidden = Files.createDirectories(directory.resolve("hidden/.heddle"));
        Files.setPosixFilePermissions(hidden.getParent(), PosixFilePermissions.fromString("---------"));
        try (ServedNode inside = ServedNode.startIn(prefix, locked.resolve(".heddle"));
                ServedNode behind = ServedNode.startIn(prefix, hidden);
                ServedNode itself = ServedNode.startIn(prefix, locked)) {
            assertThat(inside.exitCode()).as(inside.lines().toString()).isEqualTo(ExitCode.DENIED.code());
            assertThat(inside.lines()).singleElement().asString()
                    .startsWith("heddle serve: cannot create the home " + locked.resolve(".heddle") + ": ")
                    .endsWith("; choose another home with --home or HEDDLE_HOME");
            assertThat(behind.exitCode()).isEqualTo(ExitCode.DENIED.code());
            assertThat(behind.lines()).singleElement().asString()
                    .startsWith("heddle serve: cannot read the home " + hidden);
            assertThat(itself.exitCode()).isEqualTo(ExitCode.DENIED.code());
            assertThat(itself.lines()).singleElement().asString()
                    .startsWith("heddle serve: cannot write to the home " + locked);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    --port -1          |                         | --port must be from 0 to 65535: -1
                    --port x           |                         | invalid value for --port: 'x' is not a whole number; see 'heddle serve --help'
                    --workers 0        |                         | --workers must be at least 1: 0
                    --host 256.1.1.1   |                         | …'256.1.1.1'…
                    --host 0.0.0.0     |                         | …token…
                    --porty 1          |                         | unknown option '--porty'; did you mean '--port'?
                    now                |                         | unknown argument 'now'; see 'heddle serve --help'
                    --workers 1        | wrokers: 1              | HOME/heddle.yaml:1: unknown key 'wrokers'; did you mean 'workers'?
                    --config none.yaml |                         | none.yaml does not exist; check --config
                    """)
    void rejectsInvalidOptions(String options, String yaml, String message) throws Exception {
        if (yaml != null) {
            Files.writeString(directory.resolve("heddle.yaml"), yaml);
        }
        Answer answer = call(("serve " + options).split(" "));
        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(answer.err()).hasLineCount(1).startsWith("heddle serve: ");
        if (message.startsWith("…")) { // the text of another module
            assertThat(answer.err()).contains(message.replace("…", ""));
        } else {
            assertThat(answer.err())
                    .isEqualToIgnoringNewLines("heddle serve: " + message.replace("HOME", directory.toString()));
        }
        assertThat(home()).doesNotExist();
    }

    @Test
    void requiresATokenToListenOnAllInterfaces() throws Exception {
        assertThat(call("serve", "--host", "0.0.0.0").err()).contains("token");
        assertThat(home()).as("nothing was created").doesNotExist();

        Files.writeString(directory.resolve("heddle.yaml"), "server: {token: a-token-of-my-own}\n");
        try (ServedNode node = ServedNode.start(home(), "--host", "0.0.0.0", "--port", "0").awaitListening()) {
            URI stats = node.uri().resolve("/api/v1/stats");
            assertThat(status(stats)).as("without the token").isEqualTo(401);
            assertThat(status(stats, "Authorization", "Bearer a-token-of-my-own")).isEqualTo(200);
            assertThat(call("stats").out()).as("commands find it").contains("of 4 busy");
        }
    }

    private static int status(URI uri, String... headers) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(uri);
            if (headers.length > 0) {
                request.headers(headers);
            }
            return http.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void hidesItsEnvironmentUnlessItIsToldNotTo() throws IOException {
        assumeThat(Path.of("/proc/self/environ")).isReadable();
        List<String> prefix = List.of("env", "DB_LOGIN=hunter2");
        try (ServedNode node = ServedNode.startIn(prefix, home()).awaitListening()) {
            assertThat(shownEnvironment(node)).doesNotContain("hunter2");
        }
        Files.writeString(directory.resolve("heddle.yaml"), "process: {protectNode: false}\n");
        try (ServedNode node = ServedNode.startIn(prefix, home()).awaitListening()) {
            assertThat(shownEnvironment(node)).contains("hunter2");
        }
    }

    private static String shownEnvironment(ServedNode node) throws IOException {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(node.pid()), "environ"));
        } catch (AccessDeniedException e) {
            return "not for this user";
        }
    }

    @Test
    void servesHttpsWithACertificateThatCommandsTrust() throws Exception {
        TestCertificate own = TestCertificate.create(directory, "own", "EC");
        Files.writeString(directory.resolve("heddle.yaml"),
                "server: {tls: {certificate: own.crt, key: own.key}, maxConnections: 50, headerTimeout: 5s}\n");
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            assertThat(node.uri().getScheme()).isEqualTo("https");
            assertThat(call("submit", "echo", "--wait").exit()).isZero();
            Files.copy(TestCertificate.create(directory, "other", "EC").certificate(), own.certificate(),
                    StandardCopyOption.REPLACE_EXISTING);
            Answer refused = call("stats");
            assertThat(refused.exit()).isEqualTo(ExitCode.UNREACHABLE.code());
            assertThat(refused.err()).contains("another certificate").hasLineCount(1);
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tls: {certificate: own.crt}                | server.tls needs both a certificate and a key
            tls: {certificate: own.crt, key: own.key}  | cannot read the certificate
            maxConnections: 10, maxConnectionsPerAddress: 20 | perAddress at most total
            token: aaaaaaaaaaaaaaaaaaaaaaaaa           | the token must have at least 8 different characters
            """)
    void rejectsAServerThatCannotBeSecured(String settings, String message) throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"), "server: {" + settings + "}\n");

        Answer answer = call("serve", "--port", "0");

        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err()).contains(message).hasLineCount(1);
    }
}
