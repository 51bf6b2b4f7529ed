package dev.heddle.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.heddle.process.linux.ProcTable;
import dev.heddle.testkit.ChildJvm;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Isolation as an unprivileged user. Runs only if the tests run as root. */
class UnprivilegedTest extends ProcessFixture {

    @BeforeEach
    void needsLinux() {
        assumeFindsDaemons();
    }

    private static final List<String> AS_NOBODY = List.of("setpriv", "--reuid=65534", "--regid=65534",
            "--clear-groups");

    @BeforeEach
    void makeDirectoryWritableForAll() throws IOException {
        assumeThat(ProcTable.find(1).isPresent() && System.getProperty("user.name").equals("root")).isTrue();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    /** Copies the class path, because the build may be in a home directory that other users cannot read. */
    private String copyOfClassPath() throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : ChildJvm.classPath().split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            if (Files.exists(from) && from.toString().matches(".*(heddle-core|heddle-process|core/target|process/target"
                    + "|slf4j|logback|jackson|jspecify|out)[^/]*.*")) {
                Path to = file("classes" + copies.size() + "-" + Objects.requireNonNull(from.getFileName()));
                copy(from, to);
                copies.add(to.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Files.copy(one, to.resolve(from.relativize(one).toString()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "NAMESPACE"})
    void isolatesAndCleansUpAsRootDoes(Isolation isolation) throws IOException {
        EscapingDaemon daemon = new EscapingDaemon(directory);
        try (ChildJvm node = ChildJvm.startIn(AS_NOBODY, copyOfClassPath(), NodeToKill.class, registry().toString(),
                isolation.name(), directory.toString(),
                daemon.daemonizeWithoutEnvironment() + "; id -u > who; sleep 86400")) {
            node.awaitLine("up"::equals);
            daemon.awaitAlive();
            Awaitility.await().atMost(LONG).until(() -> Files.exists(file("who")) && read("who").equals("65534\n"));
            assertThat(node.lines()).contains("isolation " + isolation);
            node.kill();
            if (isolation == Isolation.SESSION) {
                assertThat(daemon.alive()).isNotEmpty();
                open(Isolation.SESSION);
            }
            daemon.awaitGone();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION", "NAMESPACE"})
    void leavesNothingWhenTheNodeCloses(Isolation isolation) throws IOException {
        EscapingDaemon daemon = new EscapingDaemon(directory);
        try (ChildJvm node = ChildJvm.startIn(AS_NOBODY, copyOfClassPath(), NodeToKill.class, registry().toString(),
                isolation.name(), directory.toString(), daemon.daemonizeWithoutEnvironment() + "; sleep 86400")) {
            node.awaitLine("up"::equals);
            daemon.awaitAlive();
            node.writeLine("x");
            node.awaitLine("closed"::equals);

            assertThat(daemon.alive()).isEmpty();
            assertThat(registry()).isEmptyDirectory();
        }
    }

    @Test
    void hidesTheEnvironmentOfTheNodeFromProcessesOfItsUser() throws IOException, InterruptedException {
        List<String> prefix = new ArrayList<>(AS_NOBODY);
        prefix.addAll(List.of("env", "DB_LOGIN=hunter2"));
        try (ChildJvm node = ChildJvm.startIn(prefix, copyOfClassPath(), ProtectedNode.class)) {
            node.awaitLine(line -> line.startsWith("pid "));
            String pid = node.lines().stream().filter(line -> line.startsWith("pid ")).findFirst().orElseThrow()
                    .substring("pid ".length());
            assertThat(asNobody("cat", "/proc/" + pid + "/environ")).contains("hunter2");

            node.writeLine("x");
            node.awaitLine("protected true"::equals);
            node.awaitLine("sees hunter2"::equals);
            node.awaitLine("child sees"::equals);

            assertThat(asNobody("cat", "/proc/" + pid + "/environ")).contains("Permission denied");
            assertThat(asNobody("cat", "/proc/" + pid + "/mem")).contains("Permission denied");
            assertThat(Files.readString(Path.of("/proc", pid, "environ"))).as("as root sees it").contains("PATH=/")
                    .contains("DB_LOGIN=").doesNotContain("hunter2");
        }
    }

    private static String asNobody(String... command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(AS_NOBODY);
        line.addAll(List.of(command));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
