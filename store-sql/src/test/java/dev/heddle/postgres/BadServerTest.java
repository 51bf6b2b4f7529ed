package dev.heddle.postgres;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Mistakes in the set-up: each is answered by one line that says what to do. */
class BadServerTest {

    private final PostgresServer server = PostgresServer.shared(Version.V18);
    private final Schemas schemas = new Schemas(Version.V18);

    @BeforeEach
    void createSchema() {
        schemas.openNew().close();
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(schemas.url());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static void assertRefused(ThrowingCallable opening, Kind kind, String... words) {
        assertThatThrownBy(opening).isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.kind()).isEqualTo(kind);
            assertThat(e.getMessage()).contains(words).doesNotContain("secret").hasLineCount(1);
        });
    }

    private String location(String database) {
        return "postgresql://127.0.0.1:" + server.port() + "/" + database;
    }

    @Test
    void showsAnExampleIfTheUrlIsWrong() {
        assertRefused(() -> PostgresStore.at("jdbc:mysql://host/db?password=secret"), Kind.UNREACHABLE,
                "not a PostgreSQL URL: 'jdbc:mysql://host/db'", "jdbc:postgresql://host:5432/database?user=name");
        assertRefused(() -> PostgresStore.builder().open(), Kind.UNREACHABLE, "not a PostgreSQL URL: none was given");
        assertRefused(() -> PostgresStore.at("jdbc:postgresql://host:port/x"), Kind.UNREACHABLE,
                "not a PostgreSQL URL");
    }

    @Test
    void reportsAMissingDatabase() {
        assertRefused(() -> PostgresStore.at("jdbc:" + location("nowhere") + "?user=postgres"), Kind.UNREACHABLE,
                location("nowhere") + " does not exist; create the database, or correct the URL");
    }

    @Test
    void reportsAWrongOrMissingPassword() throws SQLException {
        String role = "stranger_" + schemas.schema();
        execute("CREATE ROLE " + role + " LOGIN PASSWORD 'right'");
        PostgresStoreBuilder builder = PostgresStore.builder().url("jdbc:" + location("postgres")).user(role);

        assertRefused(builder::open, Kind.DENIED, location("postgres") + " rejected the user or password; check both",
                "no password was provided");
        assertRefused(() -> builder.password("secret").open(), Kind.DENIED,
                location("postgres") + " rejected the user or password; check both");
    }

    @Test
    void namesTheMissingPrivileges() throws SQLException {
        String role = "guest_" + schemas.schema();
        execute("CREATE ROLE " + role + " LOGIN PASSWORD 'right'");
        PostgresStoreBuilder builder = PostgresStore.builder().url("jdbc:" + location("postgres")).user(role)
                .password("right");

        assertRefused(() -> builder.schema("new_" + schemas.schema()).open(), Kind.DENIED,
                "missing privileges on " + location("postgres"), "CREATE on the database to create them");
        assertRefused(() -> builder.schema(schemas.schema()).open(), Kind.DENIED, "missing privileges",
                "USAGE and CREATE on schema " + schemas.schema());
    }

    @Test
    void needsNoPrivilegeToChangeAnExistingSchema() throws Exception {
        String role = "worker_" + schemas.schema();
        String schema = schemas.schema();
        execute("CREATE ROLE " + role + " LOGIN PASSWORD 'right'", "GRANT USAGE ON SCHEMA " + schema + " TO " + role,
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema + " TO " + role,
                "GRANT USAGE ON ALL SEQUENCES IN SCHEMA " + schema + " TO " + role);
        JobType<String, String> echo = JobType.of("echo", String.class, String.class);

        try (Pool pool = Pool.on(PostgresStore.builder().url("jdbc:" + location("postgres")).user(role)
                .password("right").schema(schema).open()).register(echo, (text, job) -> text).open()) {
            assertThat(pool.submit(echo, "allowed").await(Duration.ofSeconds(30))).isEqualTo("allowed");
        }
    }

    @Test
    void refusesASchemaOfANewerVersionOrOfAnotherProgram() throws SQLException {
        execute("INSERT INTO " + schemas.schema() + ".schema_version (version) VALUES (99)",
                "CREATE SCHEMA foreign_" + schemas.schema(),
                "CREATE TABLE foreign_" + schemas.schema() + ".customers (id int)");

        assertRefused(() -> schemas.openAgain(), Kind.FOREIGN,
                "schema " + schemas.schema() + " of " + location("postgres") + " has schema version 99",
                "use a newer Heddle");
        assertRefused(() -> schemas.builder().schema("foreign_" + schemas.schema()).open(), Kind.FOREIGN,
                "has tables of another program; choose another schema for Heddle");
    }

    @Test
    void refusesAServerThatIsTooOld() {
        assertRefused(() -> PostgresStore.on(aged(schemas.url())), Kind.OTHER,
                location("postgres") + " is PostgreSQL 13", "Heddle needs PostgreSQL 14 or newer");
    }

    /** The same server, but reporting an older version. */
    private static DataSource aged(String url) {
        PGSimpleDataSource real = new PGSimpleDataSource();
        real.setUrl(url);
        return (DataSource) older(DataSource.class, real);
    }

    private static Object older(Class<?> type, Object real) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (_, method, arguments) -> {
            Object answer = method.invoke(real, arguments);
            return switch (method.getName()) {
                case "getConnection", "getMetaData" -> older(method.getReturnType(), answer);
                case "getDatabaseMajorVersion" -> 13;
                case "getDatabaseProductVersion" -> "13.9";
                default -> answer;
            };
        });
    }

    @Test
    void refusesAnInvalidSchemaName() {
        assertThatThrownBy(() -> schemas.builder().schema("x; DROP TABLE job").open())
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not a schema name: 'x; DROP");
    }

    @Test
    void waitsForAServerThatIsNotUpYetAndGivesUpAfterATime() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(PostgresStore.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        try (PostgresServer late = PostgresServer.start(Version.V18)) {
            late.stop();
            assertRefused(() -> PostgresStore.builder().url(late.url()).startWithin(Duration.ofSeconds(6)).open(),
                    Kind.UNREACHABLE, "gave up after 6 s: cannot reach postgresql://127.0.0.1:" + late.port(),
                    "check that the server runs");
            assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage).singleElement().asString()
                    .startsWith("Retrying for up to 6 s: cannot reach postgresql://127.0.0.1:");

            CompletableFuture<Void> opening = CompletableFuture.runAsync(
                    () -> PostgresStore.builder().url(late.url()).startWithin(Duration.ofMinutes(1)).open().close());
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> logged.list.size() > 1);
            late.start();
            assertThat(opening).succeedsWithin(Duration.ofMinutes(1));
        } finally {
            logger.detachAppender(logged);
        }
    }

    @Test
    void opensANewSchemaFromSeveralNodesAtOnce() {
        PostgresStoreBuilder builder = schemas.builder().schema("many_" + schemas.schema());
        List<CompletableFuture<Void>> opened = IntStream.range(0, 6).mapToObj(
                _ -> CompletableFuture.runAsync(() -> builder.open().close(), task -> Thread.ofPlatform().start(task)))
                .toList();

        assertThat(opened).allSatisfy(one -> assertThat(one).succeedsWithin(Duration.ofSeconds(30)));
    }
}
