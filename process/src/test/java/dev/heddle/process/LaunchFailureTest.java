package dev.heddle.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.heddle.process.LaunchException.Kind;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A launch that fails says why in one line, and leaves nothing behind. */
@Tag("portable")
class LaunchFailureTest extends ProcessFixture {

    private Processes processes() {
        return open(Isolation.NAMESPACE);
    }

    private AbstractThrowableAssert<?, ?> assertFails(Launch launch, Kind kind, int exitCode) throws IOException {
        Processes processes = processes();
        AbstractThrowableAssert<?, ?> failure = assertThatThrownBy(() -> processes.start(launch))
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
        return failure;
    }

    @Test
    void aCommandThatDoesNotExist() throws IOException {
        assertFails(Launch.of("t", "no-such-command-x").environment(PATH).in(directory), Kind.NOT_FOUND, 3)
                .hasMessage("no such command: no-such-command-x is not on the PATH (/usr/local/bin:/usr/bin:/bin)");
        assertFails(Launch.of("t", "./nothing").environment(PATH).in(directory), Kind.NOT_FOUND, 3)
                .hasMessage("no such command: " + directory.toRealPath().resolve("nothing") + " does not exist");
    }

    @Test
    void aFileThatIsNotExecutable() throws IOException {
        Files.writeString(file("script"), "#!/bin/sh\n");
        assertFails(Launch.of("t", "./script").environment(PATH).in(directory), Kind.NOT_EXECUTABLE, 3)
                .hasMessageEndingWith("script: it is not executable; try chmod +x");
        assertFails(Launch.of("t", "./").environment(PATH).in(directory), Kind.NOT_EXECUTABLE, 3)
                .hasMessageEndingWith(": it is a directory");
    }

    @Test
    void aDirectoryThatDoesNotExist() throws IOException {
        assertFails(shell("true").in(file("nowhere")), Kind.BAD_PATH, 2)
                .hasMessage("cannot run in " + file("nowhere") + ": there is no such directory");
        Files.writeString(file("file"), "");
        assertFails(shell("true").in(file("file")), Kind.BAD_PATH, 2)
                .hasMessage("cannot run in " + file("file") + ": it is not a directory");
    }

    @Test
    void anInputFileThatDoesNotExist() throws IOException {
        assertFails(shell("true").input(Input.from(file("nothing"))), Kind.BAD_PATH, 2)
                .hasMessage("cannot read the input file " + file("nothing") + "; check that it exists and is readable");
    }

    @Test
    void anOutputFileThatCannotBeWritten() throws IOException {
        assertFails(shell("true").output(Output.to(file("no/such/directory"))), Kind.REFUSED, 1)
                .hasMessageContaining("no/such/directory");
    }

    @Test
    void anArgumentListThatIsTooLong() throws IOException {
        assertFails(Launch.of("t", "true", "x".repeat(3_000_000)).environment(PATH).in(directory), Kind.REFUSED, 1)
                .hasMessageContaining("Argument list too long");
    }

    @Test
    void anInvalidCommand() {
        assertThatExceptionOfType(LaunchException.class).isThrownBy(() -> Launch.of("t", List.of()));
        assertThatExceptionOfType(LaunchException.class).isThrownBy(() -> Launch.of("t", " "));
        assertThatExceptionOfType(LaunchException.class).isThrownBy(() -> Launch.of("t", "a", "b\0c"))
                .withMessage("the command for t contains a NUL character: a");
        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> Launch.of("t", "a").output(Output.withOutput()));
    }

    @Test
    void aVariableWithoutAName() throws IOException {
        assertFails(shell("true").environment(Map.of("A=B", "x")), Kind.INVALID, 2)
                .hasMessageStartingWith("the environment of test cannot be set: ");
    }

    @Test
    void tooLittleFreeMemory() {
        Processes demanding = open(settings(Isolation.NAMESPACE).headroom(new Headroom(1L << 60, 0)));

        assertThat(demanding.shortage()).isPresent();
        assertThatThrownBy(() -> demanding.start(shell("true")))
                .isInstanceOfSatisfying(LaunchException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_HEADROOM))
                .hasMessageMatching("not started: only \\d+ MiB of memory is free; 1099511627776 MiB is required");
    }

    @Test
    void aClosedNode() {
        Processes processes = processes();
        processes.close();

        assertThatThrownBy(() -> processes.start(shell("true"))).hasMessage("not started: the node is closing");
    }

    @Test
    void aBuiltInCommandOfTheShell() throws IOException {
        assertFails(Launch.of("t", "exit", "3").environment(PATH).in(directory), Kind.NOT_FOUND, 3);
    }

    @Test
    void findsAScriptInTheWorkingDirectory() throws IOException {
        Files.writeString(file("script"), "exit $1");
        assertThat(file("script").toFile().setExecutable(true)).isTrue();

        assertThat(end(processes().start(Launch.of("t", "./script", "9").environment(Map.of()).in(directory))).code())
                .isEqualTo(9);
    }
}
