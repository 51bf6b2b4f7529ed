package dev.heddle.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.heddle.cli.Cli.Answer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The launcher script in a test project, with a fake Maven and fake JDKs that record how they were called. */
@Timeout(180)
class LauncherTest {

    private static final List<String> TOOLS = List.of("bash", "cat", "dirname", "find", "ln", "mkdir", "mv", "readlink",
            "rm", "sleep", "touch");

    @TempDir
    private Path directory;

    private Path root() {
        return directory.resolve("project");
    }

    private Path bin() {
        return directory.resolve("bin");
    }

    @BeforeEach
    void createProject() throws IOException {
        Files.createDirectories(root().resolve("cli/src/main"));
        Files.createFile(root().resolve("pom.xml"));
        Files.createFile(root().resolve("cli/pom.xml"));
        script(root().resolve("heddle"), Files.readString(Path.of("../heddle")));
        Files.createDirectories(directory.resolve("jdks"));
        Files.createDirectories(bin());
        for (String tool : TOOLS) {
            script(bin().resolve(tool), "#!/bin/sh\nexec " + onPath(tool) + " \"$@\"\n");
        }
        mvn("mkdir -p cli/target && touch cli/target/heddle-cli-1.jar");
    }

    private static Path onPath(String tool) {
        return Stream.of(System.getenv("PATH").split(":")).map(dir -> Path.of(dir, tool)).filter(Files::isExecutable)
                .findFirst().orElseThrow(() -> new AssertionError(tool + " is not installed"));
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void mvn(String what) throws IOException {
        script(bin().resolve("mvn"), "#!/usr/bin/env bash\necho \"$@\" >> mvn.calls\n" + what + "\n");
    }

    private List<String> builds() throws IOException {
        Path calls = root().resolve("mvn.calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    private Path jdk(String version) throws IOException {
        Path home = directory.resolve("jdks/jdk-" + version);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        script(home.resolve("bin/java"), """
                #!/usr/bin/env bash
                echo "$@" >> %s
                for word in "$@"; do
                  [[ $word != -XX:AOTCacheOutput=* || -e %s ]] || echo archive > "${word#*=}"
                done
                echo "Java %s in $PWD: ${*: -2}"
                """.formatted(root().resolve("java.calls"), root().resolve("no-archive"), version));
        return home;
    }

    private List<String> starts() throws IOException {
        return Files.readAllLines(root().resolve("java.calls"));
    }

    @Test
    void createsTheArchivesOnceAndStartsWithThem() throws Exception {
        jdk("25");
        assertThat(run("stats").exit()).isZero();
        run("stats");
        assertThat(starts()).hasSize(4);
        assertThat(starts().get(0)).contains("-XX:AOTCacheOutput=").endsWith(" version");
        assertThat(starts().get(1)).contains("-XX:AOTCacheOutput=", " warm-up ");
        assertThat(starts().subList(2, 4))
                .allMatch(call -> call.contains(" -XX:AOTCache=" + root()) && call.contains("-XX:TieredStopAtLevel=1"))
                .noneMatch(call -> call.contains(".version.aot"));

        Files.setLastModifiedTime(root().resolve("cli/target/heddle-cli-1.jar"),
                FileTime.from(Instant.now().plusSeconds(5)));
        assertThat(run("stats").err())
                .isEqualToIgnoringNewLines("heddle: preparing faster starts, this takes a few seconds, once ...");
        assertThat(starts().get(5)).contains("-XX:AOTCacheOutput=");
        run("version");
        assertThat(starts().getLast()).as("loads no more than it needs")
                .containsPattern("-XX:AOTCache=\\S+\\.version\\.aot ");
    }

    @Test
    void startsWithoutAnArchiveIfItCannotBeCreated() throws Exception {
        jdk("25");
        Files.createFile(root().resolve("no-archive"));
        assertThat(run("stats").exit()).isZero();
        Answer again = run("stats");
        assertThat(again.exit()).isZero();
        assertThat(again.err()).isEmpty();
        assertThat(starts()).hasSize(4).filteredOn(call -> call.contains("-XX:AOTCache=")).isEmpty();
    }

    @Test
    void startsANodeWithoutTheFlagsForShortCommands() throws Exception {
        jdk("25");
        answer(start(root().resolve("heddle"), Map.of("HEDDLE_JAVA_OPTS", "-Xmx99m -Da=b"), "--home", "serve",
                "serve"));
        assertThat(starts().getLast()).contains("-Xmx99m -Da=b -jar").doesNotContain("TieredStopAtLevel");
        run("--home", "serve", "version");
        assertThat(starts().getLast()).contains("TieredStopAtLevel");
    }

    private Process start(Path launcher, Map<String, String> environment, String... args) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(launcher.toString()), Stream.of(args)).toList());
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", bin().toString(), "HOME", directory.toString(), "HEDDLE_JVM_DIRS",
                directory.resolve("jdks").toString()));
        builder.environment().putAll(environment);
        return builder.directory(directory.toFile()).start();
    }

    private static Answer answer(Process process) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Answer(process.exitValue(), out, err);
    }

    private Answer run(String... args) throws Exception {
        return answer(start(root().resolve("heddle"), Map.of(), args));
    }

    @Test
    void failsIfNoJdkIsNewEnough() throws Exception {
        jdk("17.0.9");
        jdk("24");

        Answer answer = run("version");
        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err()).isEqualTo(
                "heddle: JDK 25 or newer not found; install one " + "(for example Temurin 25) or set JAVA_HOME\n");
        assertThat(builds()).isEmpty();
    }

    @Test
    void usesJavaHomeOrElseTheNewestJdk() throws Exception {
        Path old = jdk("17.0.9");
        Path chosen = jdk("25.0.1");
        jdk("26");

        assertThat(run("version").out()).startsWith("Java 26 ");
        assertThat(answer(start(root().resolve("heddle"), Map.of("JAVA_HOME", chosen.toString()))).out())
                .startsWith("Java 25.0.1 ");
        assertThat(answer(start(root().resolve("heddle"), Map.of("JAVA_HOME", old.toString()))).out())
                .startsWith("Java 26 ");
    }

    @Test
    void findsTheJdkOfTheJavaOnThePath() throws Exception {
        Path home = jdk("25");
        Files.createSymbolicLink(bin().resolve("java"), home.resolve("bin/java"));

        Answer answer = answer(start(root().resolve("heddle"), Map.of("HEDDLE_JVM_DIRS", "/nowhere"), "version"));
        assertThat(answer.out()).startsWith("Java 25 ");
    }

    @Test
    void buildsOnFirstUseAndIfASourceIsNewer() throws Exception {
        jdk("25");
        Answer first = run("version");
        assertThat(first.exit()).isZero();
        assertThat(first.err()).hasLineCount(1).contains("building");
        assertThat(run("version").err()).isEmpty();
        assertThat(builds()).hasSize(1).first().asString().contains("package -pl cli -am");

        Path source = Files.createFile(root().resolve("cli/src/main/New.java"));
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        run("version");
        assertThat(builds()).hasSize(2);
    }

    @Test
    void failsIfMavenIsMissing() throws Exception {
        jdk("25");
        Files.delete(bin().resolve("mvn"));

        Answer answer = run("version");
        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err())
                .isEqualTo("heddle: Maven (mvn) not found; install Maven 3.8 or newer to build Heddle\n");
    }

    @Test
    void showsTheBuildOutputOnlyIfTheBuildFails() throws Exception {
        jdk("25");
        mvn("echo a semicolon is missing; exit 1");
        Answer failed = run("version");
        assertThat(failed.exit()).isEqualTo(1);
        assertThat(failed.err()).contains("a semicolon is missing").endsWith("build failed; see the output above\n");

        mvn("echo all is well; mkdir -p cli/target; touch cli/target/heddle-cli-1.jar");
        assertThat(run("version").err()).as("tries again").contains("building").doesNotContain("all is well");
    }

    @Test
    void worksFromAnyDirectoryAndThroughSymbolicLinks() throws Exception {
        jdk("25");
        Path elsewhere = Files.createDirectories(directory.resolve("else/where"));
        Files.createSymbolicLink(elsewhere.resolve("first"), Path.of("../../project/heddle"));
        Path link = Files.createSymbolicLink(directory.resolve("second"), Path.of("else/where/first"));

        Answer answer = answer(start(link, Map.of(), "two words"));
        assertThat(answer.exit()).as(answer.err()).isZero();
        assertThat(answer.out()).isEqualTo("Java 25 in " + directory.toRealPath() + ": "
                + root().toRealPath().resolve("cli/target/heddle-cli-1.jar") + " two words\n");
    }

    @Test
    void buildsOnceForConcurrentFirstUses() throws Exception {
        jdk("25");
        mvn("until [[ -e go ]]; do sleep 0.05; done; mkdir -p cli/target; touch cli/target/heddle-cli-1.jar");
        Process first = start(root().resolve("heddle"), Map.of(), "one");
        assertThat(first.errorReader().readLine()).contains("building");
        Process second = start(root().resolve("heddle"), Map.of(), "two");
        assertThat(second.errorReader().readLine()).isEqualTo("heddle: waiting for another build to finish");
        Files.createFile(root().resolve("go"));

        assertThat(answer(first).out()).endsWith(" one\n");
        assertThat(answer(second).out()).endsWith(" two\n");
        assertThat(builds()).hasSize(1);
        assertThat(root().resolve("target/build.lock")).doesNotExist();
    }

    @Test
    void takesOverTheLockOfADeadProcess() throws Exception {
        jdk("25");
        Files.createDirectories(root().resolve("target"));
        Files.createSymbolicLink(root().resolve("target/build.lock"), Path.of("process-999999999"));

        assertThat(run("version").exit()).isZero();
        assertThat(builds()).hasSize(1);
        assertThat(Files.isSymbolicLink(root().resolve("target/build.lock"))).isFalse();
    }
}
