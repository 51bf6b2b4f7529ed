package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.process.LaunchException.Kind;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What cannot be started says so in one line, and leaves nothing. */
class LaunchTest extends ProcessFixture {

    private Processes processes() {
        return open(Isolation.NAMESPACE);
    }

    private AbstractThrowableAssert<?, ?> refused(Launch launch, Kind kind, int exitCode) throws IOException {
        Processes processes = processes();
        AbstractThrowableAssert<?, ?> refusal = assertThatThrownBy(() -> processes.start(launch))
                .isInstanceOfSatisfying(LaunchException.class, e -> {
                    assertThat(e.kind()).isEqualTo(kind);
                    assertThat(e.kind().exitCode()).isEqualTo(exitCode);
                    assertThat(e.getMessage()).doesNotContain("\n");
                });
        assertThat(processes.running()).isEmpty();
        processes.close();
        try (Stream<Path> left = Files.list(registry())) {
            assertThat(left).isEmpty();
        }
        return refusal;
    }

    @Test
    void noSuchCommand() throws IOException {
        refused(Launch.of("t", "no-such-command-x").environment(PATH).in(directory), Kind.NOT_FOUND, 3)
                .hasMessage(
                        "no such command: no-such-command-x is not on the PATH (/usr/local/bin:/usr/bin:/bin)");
        refused(Launch.of("t", "./nothing").environment(PATH).in(directory), Kind.NOT_FOUND, 3)
                .hasMessage(
                        "no such command: " + directory.toRealPath().resolve("nothing") + " does not exist");
    }

    @Test
    void notExecutable() throws IOException {
        Files.writeString(file("script"), "#!/bin/sh\n");
        refused(Launch.of("t", "./script").environment(PATH).in(directory), Kind.NOT_EXECUTABLE, 3)
                .hasMessageEndingWith("script: it is not executable; try chmod +x");
        refused(Launch.of("t", "./").environment(PATH).in(directory), Kind.NOT_EXECUTABLE, 3)
                .hasMessageEndingWith(": it is a directory");
    }

    @Test
    void noSuchDirectory() throws IOException {
        refused(shell("true").in(file("nowhere")), Kind.NO_PLACE, 2)
                .hasMessage("cannot run in " + file("nowhere") + ": there is no such directory");
        Files.writeString(file("file"), "");
        refused(shell("true").in(file("file")), Kind.NO_PLACE, 2)
                .hasMessage("cannot run in " + file("file") + ": it is not a directory");
    }

    @Test
    void noSuchInput() throws IOException {
        refused(shell("true").input(Input.from(file("nothing"))), Kind.NO_PLACE, 2)
                .hasMessage("cannot read " + file("nothing") + " for its input");
    }

    @Test
    void outputThatCannotBeWritten() throws IOException {
        refused(shell("true").output(Output.to(file("no/such/directory"))), Kind.REFUSED, 1)
                .hasMessageContaining("no/such/directory");
    }

    @Test
    void anArgumentListThatIsTooLong() throws IOException {
        refused(Launch.of("t", "true", "x".repeat(3_000_000)).environment(PATH).in(directory), Kind.REFUSED,
                1)
                .hasMessageContaining("Argument list too long");
    }

    @Test
    void nothingAtAll() {
        assertThatExceptionOfType(LaunchException.class).isThrownBy(() -> Launch.of("t", List.of()));
        assertThatExceptionOfType(LaunchException.class).isThrownBy(() -> Launch.of("t", " "));
        assertThatExceptionOfType(LaunchException.class).isThrownBy(() -> Launch.of("t", "a", "b\0c"))
                .withMessage("the command for t has a NUL character in it: a");
        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> Launch.of("t", "a").output(Output.withOutput()));
    }

    @Test
    void aVariableWithoutAName() throws IOException {
        refused(shell("true").environment(Map.of("A=B", "x")), Kind.INVALID, 2)
                .hasMessageStartingWith("the environment of test cannot be set: ");
    }

    @Test
    void tooLittleIsFree() {
        Processes hungry = open(settings(Isolation.NAMESPACE).headroom(new Headroom(1L << 60, 0)));

        assertThat(hungry.shortage()).isPresent();
        assertThatThrownBy(() -> hungry.start(shell("true"))).isInstanceOfSatisfying(LaunchException.class,
                e -> assertThat(e.kind()).isEqualTo(Kind.NO_ROOM)).hasMessageMatching(
                        "not started: only \\d+ MiB of memory are free, and 1099511627776 MiB must be");
    }

    @Test
    void theNodeIsClosed() {
        Processes processes = processes();
        processes.close();

        assertThatThrownBy(() -> processes.start(shell("true")))
                .hasMessage("not started: the node is closing");
    }

    @Test
    void aBuiltInOfTheShellIsNoCommand() throws IOException {
        refused(Launch.of("t", "exit", "3").environment(PATH).in(directory), Kind.NOT_FOUND, 3);
    }

    @Test
    void aScriptInItsDirectoryIsFound() throws IOException {
        Files.writeString(file("script"), "exit $1");
        assertThat(file("script").toFile().setExecutable(true)).isTrue();

        assertThat(end(processes().start(Launch.of("t", "./script", "9").environment(Map.of()).in(directory)))
                .code())
                .isEqualTo(9);
    }
}
