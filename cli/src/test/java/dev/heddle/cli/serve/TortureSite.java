package dev.heddle.cli.serve;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.control.Control;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.testkit.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A directory in which {@link TortureNode}s run, one after the other. Their clock can be moved: a small library lets
 * them read another time of day, as if an operator had set the clock of the machine. The monotonic clock does not change.
 *
 * @param log the file to which the handlers append
 */
record TortureSite(Path directory, Path log) {

    private static final String TOKEN = "k7Qm2Zt9Xw4Lp8Rv6Yb3Nc5Hd1Jf0Gs8";
    private static final Path WORKER = Path.of("../sdk/python/embed.py").toAbsolutePath().normalize();

    /** Writes the configuration. */
    static TortureSite create(Path directory, Path log, String store) throws IOException {
        Files.createDirectories(directory);
        TortureSite site = new TortureSite(directory, log);
        Files.writeString(directory.resolve("command.sh"), "sleep 0.02; echo ok\n");
        Files.writeString(directory.resolve("heddle.yaml"), """
                store: {%s}
                workers: 8
                recovery: {maxCrashes: 1000000, atOnce: 100000}
                server: {port: 0, token: %s}
                process: {freeMemory: 1MB, freeDisk: 1MB}
                types:
                  command: {command: [sh, %s], retries: 1000, backoff: 50ms}
                  embed:
                    external: [python3, %s]
                    workers: 2
                    startUps: 2
                    retries: 1000
                    backoff: 50ms
                    env: {PYTHONDONTWRITEBYTECODE: '1', TORTURE: %s}
                """.formatted(store, TOKEN, directory.resolve("command.sh"), WORKER, directory));
        site.setClock(Duration.ZERO);
        site.compileClock();
        return site;
    }

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Path clock() {
        return directory.resolve("clock");
    }

    /** Sets the clock of this and all further nodes to the machine's time plus an offset. */
    void setClock(Duration offset) throws IOException {
        ByteBuffer seconds = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder())
                .putLong(0, offset.toSeconds());
        try (FileChannel file = FileChannel.open(clock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(seconds, 0);
        }
    }

    private Path clockLibrary() {
        return directory.resolve("clock.so");
    }

    private void compileClock() throws IOException {
        Path source = directory.resolve("clock.c");
        try (InputStream text = Objects.requireNonNull(TortureSite.class.getResourceAsStream("clock.c"))) {
            Files.copy(text, source);
        }
        Process compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-O2", "-o", clockLibrary().toString(),
                source.toString()).redirectErrorStream(true).start();
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.onExit().join().exitValue()).as(output).isZero();
    }

    ServedNode start() {
        return ServedNode.of(ChildJvm.startIn(
                List.of("env", "LD_PRELOAD=" + clockLibrary(), "TORTURE_CLOCK=" + clock()), TortureNode.class,
                home().toString(), log.toString()));
    }

    Control control(ServedNode node) {
        return RemoteControl.at(node.uri(), TOKEN);
    }

    /** Writes a batch of commands. */
    Path batch(int number, int units) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int unit = 0; unit < units; unit++) {
            lines.append("{\"unit\": ").append(unit).append("}\n");
        }
        Files.writeString(directory.resolve("units-" + number + ".jsonl"), lines);
        return Files.writeString(directory.resolve("batch-" + number + ".yaml"), """
                name: batch-%d
                command: [sh, %s, '{{unit}}']
                units: units-%d.jsonl
                retries: 1000
                backoff: 50ms
                """.formatted(number, directory.resolve("command.sh"), number));
    }

    Answer call(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", home().toString(), "PATH", System.getenv("PATH"))).call(args);
    }

    /** Returns the command lines of processes that were started here, except for those of the test. */
    List<String> processes() {
        long own = ProcessHandle.current().pid();
        return ProcessHandle.allProcesses().filter(process -> process.pid() != own)
                .map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(directory.resolve("command.sh").toString())
                        || (line.contains(TortureNode.class.getName()) && line.contains(home().toString())))
                .toList();
    }
}
