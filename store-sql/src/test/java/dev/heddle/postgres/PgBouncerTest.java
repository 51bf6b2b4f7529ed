package dev.heddle.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pools behind a real PgBouncer in transaction mode, where each transaction may use another connection: settings and
 * prepared statements do not last, and LISTEN delivers nothing.
 */
class PgBouncerTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final JobType<Integer, Integer> TWICE = JobType.of("twice", Integer.class, Integer.class);

    @TempDir
    Path directory;
    private @Nullable Process bouncer;

    private String start(String more) throws IOException {
        String server = PostgresServer.shared(Version.V18).createDatabase();
        int from = server.lastIndexOf(':') + 1;
        String serverPort = server.substring(from, server.indexOf('/', from));
        String database = server.substring(server.lastIndexOf('/') + 1, server.indexOf('?'));
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path settings = Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                %s = host=127.0.0.1 port=%s user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = 5
                ignore_startup_parameters = extra_float_digits%s
                """.formatted(database, serverPort, port, more));
        List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL"));
        if (System.getProperty("user.name").equals("root")) { // PgBouncer refuses to run as root
            command.addAll(List.of("--reuid", "nobody", "--regid", "nogroup", "--clear-groups"));
        }
        command.addAll(List.of(binary(), "--quiet", settings.toString()));
        Process started = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile()).start();
        bouncer = started;
        Awaitility.await().atMost(LONG).until(() -> answers(port) || !started.isAlive());
        assertThat(started.isAlive()).as(this::log).isTrue();
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
    }

    /** Finds the program, which Debian installs outside the usual path. */
    private static String binary() {
        return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
                .filter(path -> Files.isExecutable(Path.of(path))).findFirst()
                .orElseThrow(() -> new IllegalStateException("pgbouncer is not installed; ./check installs it"));
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (bouncer != null) {
            bouncer.destroyForcibly().waitFor();
        }
    }

    @Test
    void servesPoolsIfItRefusesOurSettings() throws Exception {
        servesPools(start(""));
    }

    @Test
    void servesPoolsIfItIgnoresOurSettings() throws Exception {
        servesPools(start(", options"));
    }

    /** Runs two nodes, with so many jobs that statements reach connections on which they were never prepared. */
    private static void servesPools(String url) throws Exception {
        try (Pool one = pool(url); Pool other = pool(url)) {
            List<JobHandle<Integer>> handles = new ArrayList<>(
                    one.submitAll(IntStream.range(0, 500).mapToObj(TWICE::with).toList()));
            for (int i = 500; i < 600; i++) {
                handles.add((i % 2 == 0 ? one : other).submit(TWICE, i));
            }
            for (int i = 0; i < handles.size(); i++) {
                assertThat(handles.get(i).await(LONG)).isEqualTo(2 * i);
            }
        }
    }

    private static Pool pool(String url) {
        return Pool.on(PostgresStore.at(url)).register(TWICE, (number, job) -> 2 * number).open();
    }
}
