package dev.heddle.cli.serve;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** More idle connections than the process of a node may open files. */
class ManyConnectionsTest {

    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final int CONNECTIONS = 1_600;

    @TempDir
    private Path directory;

    private Answer heddle(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", directory.resolve(".heddle").toString())).call(args);
    }

    /** Connects without waiting for the node: the kernel completes connections that the node has not yet accepted. */
    private static List<SocketChannel> connect(int port) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            SocketChannel channel = SocketChannel.open();
            channels.add(channel);
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
        return channels;
    }

    /** Without a limit for connections, only the time for a header, which is long here, would end them. */
    @Test
    void leaveFilesForTheProcessesOfJobs() throws IOException {
        assumeThat(PRLIMIT).isExecutable();
        Files.writeString(directory.resolve("heddle.yaml"), """
                server: {port: 0, headerTimeout: 10m}
                types:
                  greet: {command: [sh, -c, 'echo 42 | cat >"$HEDDLE_RESULT_PATH"']}
                """);
        try (ServedNode node = ServedNode
                .startIn(List.of(PRLIMIT.toString(), "--nofile=1024:1024"), directory.resolve(".heddle"))
                .awaitListening()) {
            List<SocketChannel> idle = connect(node.uri().getPort());
            try {
                for (int i = 0; i < 5; i++) {
                    Answer answer = heddle("submit", "greet", "--wait");
                    assertThat(answer.exit()).as(answer.err()).isZero();
                }
            } finally {
                for (SocketChannel channel : idle) {
                    channel.close();
                }
            }
            assertThat(node.lines()).anyMatch(line -> line.contains("There are more connections than allowed"))
                    .noneMatch(line -> line.contains("Too many open files"));
        }
    }
}
