package dev.heddle.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server that a test can crash, freeze and restart. It runs with PostgreSQL's default settings, so a
 * commit is durable. It listens on 127.0.0.1 only. The superuser {@code postgres} needs no password; every other role
 * does. The server never outlives the JVM, even if the JVM is killed.
 */
public final class PostgresServer implements AutoCloseable {

    /** The PostgreSQL versions that the testkit contains. */
    public enum Version {
        /** The newest version. */
        V18(18),
        /** The oldest version that the PostgreSQL project still supports. */
        V14(14);

        private final int major;

        Version(int major) {
            this.major = major;
        }

        /** Returns the major version number. */
        public int major() {
            return major;
        }
    }

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Map<Version, PostgresServer> SHARED = new ConcurrentHashMap<>();
    private static final Set<PostgresServer> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(PostgresServer::close), "postgres-close"));
    }

    private final Path binaries;
    private final Path directory;
    private final Path data;
    /** The status file of the postmaster. It is left behind if the postmaster is killed. */
    private final Path lock;
    private final Path log;
    private final int port;
    private final List<String> settings;
    private final AtomicInteger databases = new AtomicInteger();
    private @Nullable PostgresProcess process;

    private PostgresServer(Version version, List<String> settings) throws IOException {
        this.binaries = PostgresBinaries.unpacked(version.major()).resolve("bin");
        this.directory = Files.createTempDirectory(PostgresAccount.scratch(), "heddle-postgres-server");
        this.data = directory.resolve("data");
        this.lock = data.resolve("postmaster.pid");
        this.log = directory.resolve("log");
        this.port = freePort();
        this.settings = List.copyOf(settings);
        OPEN.add(this);
    }

    /**
     * Starts a new server without databases.
     *
     * @param settings lines of {@code postgresql.conf}, such as {@code "max_connections=20"}
     */
    public static PostgresServer start(Version version, String... settings) {
        try {
            PostgresServer server = new PostgresServer(version, List.of(settings));
            try {
                server.initialize();
                server.start();
                return server;
            } catch (Throwable e) {
                server.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns a server that all tests of this JVM share; each test should {@linkplain #createDatabase create a
     * database}.
     */
    public static PostgresServer shared(Version version) {
        return SHARED.computeIfAbsent(version, PostgresServer::start);
    }

    /**
     * Returns a free port outside of the range that the kernel gives to clients. Otherwise a client that connects while
     * the server is down could get the server's own port, connect to itself, and keep the server from starting again.
     */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException e) {
                // The port is taken; try another one.
            }
        }
    }

    private void initialize() throws IOException {
        PostgresAccount.takeOwnership(directory);
        // Skipping the sync is safe: only a power failure right now could do harm.
        int code = command("initdb", "--username=postgres", "--encoding=UTF8", "--locale=C", "--auth=trust",
                "--no-sync", "--no-instructions", "-D", data.toString()).start().onExit().join().exitValue();
        if (code != 0) {
            throw new IOException("initdb exited with code " + code + ":\n" + Files.readString(log));
        }
        Files.writeString(data.resolve("pg_hba.conf"), """
                host all postgres 127.0.0.1/32 trust
                host all all 127.0.0.1/32 scram-sha-256
                """);
    }

    private ProcessBuilder command(String program, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(PostgresAccount.prefix());
        line.add(binaries.resolve(program).toString());
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        builder.environment().putAll(Map.of("TZ", "UTC", "LANG", "C"));
        return builder;
    }

    /** Starts the server again after {@link #stop} or {@link #crash}, with the same data and port. */
    public synchronized void start() {
        if (isAlive()) {
            throw new IllegalStateException("the server on port " + port + " is already running");
        }
        List<String> arguments = new ArrayList<>(List.of("-D", data.toString(), "-p", "" + port));
        Stream.concat(Stream.of("listen_addresses=127.0.0.1", "unix_socket_directories="), settings.stream())
                .forEach(setting -> arguments.addAll(List.of("-c", setting)));
        try {
            PostgresProcess started = new PostgresProcess(command("postgres", arguments.toArray(String[]::new)));
            process = started;
            Awaitility.await("start of PostgreSQL").atMost(START_TIMEOUT).pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5)).until(() -> isReady(started) || !started.isAlive());
            if (!started.isAlive()) {
                throw new IOException("postgres did not start:\n" + Files.readString(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The status file of an earlier run has another process id, and is deleted before a new one is written. */
    private boolean isReady(PostgresProcess started) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(lock);
        } catch (NoSuchFileException e) {
            return false;
        }
        return lines.size() >= 8 && lines.getFirst().equals("" + started.pid()) && lines.get(7).strip().equals("ready");
    }

    /** Shuts the server down cleanly without waiting for its clients; does nothing if it is down. */
    public synchronized void stop() {
        end("INT");
    }

    private void end(String signal) {
        if (process != null && process.isAlive()) {
            process.end(signal);
        }
    }

    /** {@linkplain #stop Stops} and {@linkplain #start starts} the server. */
    public synchronized void restart() {
        stop();
        start();
    }

    /** Kills all processes with SIGKILL and waits until they have ended. Clients see their connections break. */
    public synchronized void crash() {
        running().kill();
    }

    /** Freezes all processes with SIGSTOP. Clients get no answer, and their connections stay open. */
    public synchronized void suspend() {
        running().suspend();
    }

    /** Continues the server after {@link #suspend}. */
    public synchronized void resume() {
        running().resume();
    }

    private boolean isAlive() {
        return process != null && process.isAlive();
    }

    private PostgresProcess running() {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException("the server on port " + port + " is down; start() it first");
        }
        return process;
    }

    /** Returns the TCP port, which stays the same across restarts. */
    public int port() {
        return port;
    }

    /** Returns the process id of the postmaster. */
    public synchronized long pid() {
        return running().pid();
    }

    /** Returns the directory of data and log, which {@link #close} deletes. */
    public Path directory() {
        return directory;
    }

    /** Returns the JDBC URL of the database {@code postgres}, for the user {@code postgres}. */
    public String url() {
        return url("postgres");
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres".formatted(port, database);
    }

    /** Creates an empty database and returns its JDBC URL, for the user {@code postgres}. */
    public String createDatabase() {
        String name = "test_" + databases.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
            return url(name);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create a database on port " + port, e);
        }
    }

    /** Ends the server, whatever its state, and deletes its directory. */
    @Override
    public synchronized void close() {
        if (!OPEN.remove(this)) {
            return;
        }
        try {
            if (!isAlive() && Files.exists(lock)) {
                // Only a new start frees the shared memory that killed processes left behind.
                start();
            }
        } finally {
            end("QUIT");
            Directories.delete(directory);
        }
    }
}
