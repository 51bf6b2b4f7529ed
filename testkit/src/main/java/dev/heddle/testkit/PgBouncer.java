package dev.heddle.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * A real PgBouncer in transaction mode in front of a database. Each transaction may use another connection: settings
 * and prepared statements do not last, and LISTEN delivers nothing. It ends with this JVM.
 */
public final class PgBouncer implements AutoCloseable {

    private final Process process;
    private final String url;

    private PgBouncer(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /**
     * Starts a pooler for one database.
     *
     * @param directory an empty directory for its settings and its log; everybody may read it afterwards
     * @param database the JDBC address of the database, from {@link PostgresServer#createDatabase}
     * @param ignored further start-up parameters that it ignores instead of refusing them, such as {@code options}
     */
    public static PgBouncer start(Path directory, String database, String... ignored) {
        int from = database.lastIndexOf(':') + 1;
        String serverPort = database.substring(from, database.indexOf('/', from));
        String name = database.substring(database.lastIndexOf('/') + 1, database.indexOf('?'));
        try {
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
                    ignore_startup_parameters = %s
                    """.formatted(name, serverPort, port,
                    String.join(", ", Stream.concat(Stream.of("extra_float_digits"), Stream.of(ignored)).toList())));
            Path log = directory.resolve("log");
            Process process = new ProcessBuilder(command(settings)).redirectErrorStream(true)
                    .redirectOutput(log.toFile()).start();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> answers(port) || !process.isAlive());
            if (!process.isAlive()) {
                throw new AssertionError("PgBouncer ended: " + Files.readString(log));
            }
            return new PgBouncer(process, "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?user=postgres");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(Path settings) {
        List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL"));
        if (System.getProperty("user.name").equals("root")) { // PgBouncer refuses to run as root
            command.addAll(List.of("--reuid", "nobody", "--regid", "nogroup", "--clear-groups"));
        }
        command.addAll(List.of(binary(), "--quiet", settings.toString()));
        return command;
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

    /** Returns the JDBC address of the database through the pooler. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
