package dev.heddle.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Connections as a pooler in transaction mode gives them: LISTEN is taken, and nothing is ever delivered. */
final class Deaf {

    private Deaf() {}

    static PostgresStore store(Schemas schemas) {
        return PostgresStore.builder().dataSource(dataSource(schemas.url(), new AtomicInteger()))
                .schema(schemas.schema()).open();
    }

    /** Counts how often somebody tried to hear something. */
    static DataSource dataSource(String url, AtomicInteger tries) {
        return proxy(DataSource.class, (method, arguments) -> switch (method) {
            case "getConnection" -> connection(DriverManager.getConnection(url), tries);
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private static Connection connection(Connection real, AtomicInteger tries) {
        return (Connection) Proxy.newProxyInstance(Deaf.class.getClassLoader(),
                new Class<?>[]{Connection.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("unwrap")) {
                        return proxy(PGConnection.class, (called, _) -> {
                            tries.incrementAndGet();
                            Thread.sleep(20);
                            return called.equals("getNotifications") ? new PGNotification[0] : called;
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
