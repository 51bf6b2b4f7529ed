package dev.heddle.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Connections as a pooler in transaction mode gives them: LISTEN is taken, and nothing is ever delivered. Or more than one
 * bargained for.
 */
final class Deaf {

    private Deaf() {}

    static PostgresStore store(Schemas schemas) {
        return PostgresStore.builder().dataSource(dataSource(schemas.url(), new AtomicInteger()))
                .schema(schemas.schema()).open();
    }

    /** Counts how often somebody tried to hear something. */
    static DataSource dataSource(String url, AtomicInteger tries) {
        return dataSource(url, (_, _) -> {
            tries.incrementAndGet();
            Thread.sleep(20);
            return List.of();
        });
    }

    /** Not deaf at all: whatever is heard, another node's probe comes right behind it. */
    static DataSource crowded(String url) {
        PGNotification stranger = proxy(PGNotification.class,
                (called, _) -> called.equals("getParameter") ? "PROBE stranger question" : called);
        return dataSource(url, (real, millis) -> {
            PGNotification[] heard = real.getNotifications(millis);
            return heard == null || heard.length == 0 ? List.of()
                    : Stream.concat(Stream.of(heard), Stream.of(stranger)).toList();
        });
    }

    /** What arrives at whoever listens. */
    private interface Ear {
        List<PGNotification> hear(PGConnection real, int millis) throws SQLException, InterruptedException;
    }

    private static DataSource dataSource(String url, Ear ear) {
        return proxy(DataSource.class, (method, arguments) -> switch (method) {
            case "getConnection" -> connection(DriverManager.getConnection(url), ear);
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private static Connection connection(Connection real, Ear ear) {
        return (Connection) Proxy.newProxyInstance(Deaf.class.getClassLoader(),
                new Class<?>[]{Connection.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("unwrap")) {
                        return proxy(PGConnection.class, (called, values) -> {
                            if (!called.equals("getNotifications")) {
                                throw new UnsupportedOperationException(called);
                            }
                            return ear.hear(real.unwrap(PGConnection.class), (int) values[0])
                                    .toArray(PGNotification[]::new);
                        });
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private interface Handler {
        Object handle(String method, Object[] arguments) throws SQLException, InterruptedException;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(Deaf.class.getClassLoader(), new Class<?>[]{type},
                (_, method, arguments) -> handler.handle(method.getName(), arguments)));
    }
}
