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
 * A PostgreSQL server on this machine, to be crashed. Its settings are PostgreSQL's own, so what it has committed is on
 * disk. It listens on 127.0.0.1 only. The user {@code postgres} may do everything and needs no password; every other
 * role needs its own. It never outlives the JVM, not even one that is killed.
 */
public final class PostgresServer implements AutoCloseable {

    /** Which PostgreSQL. */
    public enum Version {
        /** The newest. */
        V18(18),
        /** The oldest that PostgreSQL's makers still look after. */
        V14(14);

        private final int major;

        Version(int major) {
            this.major = major;
        }

        public int major() {
            return major;
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<Version, PostgresServer> SHARED = new ConcurrentHashMap<>();
    private static final Set<PostgresServer> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(
                new Thread(() -> OPEN.forEach(PostgresServer::close), "postgres-close"));
    }

    private final Path binaries;
    private final Path directory;
    private final Path data;
    /** Where the postmaster says how it is; it stays behind when the postmaster is killed. */
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

    /** Starts a server with no data. Settings are as in {@code postgresql.conf}: {@code "max_connections=20"}. */
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

    /** The one server of this JVM and version, for tests that have a {@linkplain #createDatabase database} each. */
    public static PostgresServer shared(Version version) {
        return SHARED.computeIfAbsent(version, PostgresServer::start);
    }

    /**
     * Not one of those that the kernel gives to clients: a client that tries to reach a server that is down could get
     * the server's own port, would be connected to itself, and the server could not come back.
     */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException e) {
                // Taken: the next one.
            }
        }
    }

    private void initialize() throws IOException {
        PostgresAccount.give(directory);
        // Without a sync, which only a machine that loses power now would notice.
        int code = command("initdb", "--username=postgres", "--encoding=UTF8", "--locale=C", "--auth=trust",
                "--no-sync", "--no-instructions", "-D", data.toString()).start().onExit().join().exitValue();
        if (code != 0) {
            throw new IOException("initdb ended with " + code + ":\n" + Files.readString(log));
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
        ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("LC_"));
        builder.environment().putAll(Map.of("TZ", "UTC", "LANG", "C"));
        return builder;
    }

    /** Starts it again after {@link #stop} or {@link #crash}: the same data, the same port. */
    public synchronized void start() {
        if (isAlive()) {
            throw new IllegalStateException("the server on port " + port + " runs already");
        }
        List<String> arguments = new ArrayList<>(List.of("-D", data.toString(), "-p", "" + port));
        Stream.concat(Stream.of("listen_addresses=127.0.0.1", "unix_socket_directories="), settings.stream())
                .forEach(setting -> arguments.addAll(List.of("-c", setting)));
        try {
            PostgresProcess started = new PostgresProcess(
                    command("postgres", arguments.toArray(String[]::new)));
            process = started;
            Awaitility.await("start of PostgreSQL").atMost(PATIENCE).pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5)).until(() -> isReady(started) || !started.isAlive());
            if (!started.isAlive()) {
                throw new IOException("postgres did not start:\n" + Files.readString(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A lock of an earlier run has another process id, and is deleted before there is a new one. */
    private boolean isReady(PostgresProcess started) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(lock);
        } catch (NoSuchFileException e) {
            return false;
        }
        return lines.size() >= 8 && lines.getFirst().equals("" + started.pid())
                && lines.get(7).strip().equals("ready");
    }

    /** Ends it in good order, without waiting for its clients to leave; nothing if it is down. */
    public synchronized void stop() {
        end("INT");
    }

    private void end(String signal) {
        if (process != null && process.isAlive()) {
            process.end(signal);
        }
    }

    /** {@link #stop} and {@link #start}. */
    public synchronized void restart() {
        stop();
        start();
    }

    /** Kills all its processes with SIGKILL and waits until they are gone: clients see their connections end. */
    public synchronized void crash() {
        running().kill();
    }

    /** Stops all its processes where they are with SIGSTOP: clients get no answer, and no end either. */
    public synchronized void suspend() {
        running().suspend();
    }

    /** Lets them go on after {@link #suspend}. */
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

    public int port() {
        return port;
    }

    /** The process id of the postmaster. */
    public synchronized long pid() {
        return running().pid();
    }

    /** Where it has its data and its log; gone once it is closed. */
    public Path directory() {
        return directory;
    }

    /** The JDBC URL of the database {@code postgres}, for the user {@code postgres}. */
    public String url() {
        return url("postgres");
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres".formatted(port, database);
    }

    /** Makes an empty database that nobody else uses; its JDBC URL, for the user {@code postgres}. */
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

    /** Ends it, in whatever state it is, and deletes its directory. */
    @Override
    public synchronized void close() {
        if (!OPEN.remove(this)) {
            return;
        }
        try {
            if (!isAlive() && Files.exists(lock)) {
                // Only a new start frees the shared memory that killed processes have left behind.
                start();
            }
        } finally {
            end("QUIT");
            Directories.delete(directory);
        }
    }
}
