package dev.heddle.cli.serve;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Terminal;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The programs of the types in {@code heddle.yaml} are looked for when the node starts. */
class TypeProgramsTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"command: [no-such-lint, x]", "command: ['true'], test: [no-such-lint]",
        "command: ['true'], build: [./no-such-lint]", "command: ['true'], tools: [no-such-lint]",
        "agent: claude, program: [no-such-lint]", "agent: claude, program: [/opt/no-such-lint]",
        "external: [no-such-lint]", "external: ['./no-such-lint']",
        "command: ['true'], onUnitFailed: {command: [no-such-lint]}"})
    void refusesToStartWithoutOne(String type) throws Exception {
        Path file = Files.writeString(directory.resolve("heddle.yaml"),
                "server: {port: 0}\ntypes:\n  lint: {" + type + "}\n");
        PrintWriter discard = new PrintWriter(Writer.nullWriter());
        CliContext context = new CliContext(new CliOutput(discard, discard, Terminal.NONE), Map.of("HEDDLE_HOME",
                directory.resolve(".heddle").toString()), InputStream.nullInputStream());

        assertThatThrownBy(() -> Daemon.start(context, context.options().nodeConfig()).close())
                .isInstanceOfSatisfying(CliException.class, e -> assertThat(e.exit()).isEqualTo(ExitCode.NOT_FOUND))
                .hasMessageStartingWith(file + ":3: type 'lint").hasMessageContaining("no-such-lint");
    }
}
