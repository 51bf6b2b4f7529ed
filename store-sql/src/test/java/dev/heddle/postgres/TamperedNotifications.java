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

/** Data sources whose connections deliver too few notifications, or too many. */
final class TamperedNotifications {

    private TamperedNotifications() {}

    static PostgresStore deafStore(Schemas schemas) {
        return PostgresStore.builder().dataSource(deaf(schemas.url(), new AtomicInteger())).schema(schemas.schema())
                .open();
    }

    /** Accepts LISTEN and never delivers, like a pooler in transaction mode. Counts the attempts to receive. */
    static DataSource deaf(String url, AtomicInteger tries) {
        return dataSource(url, (_, _) -> {
            tries.incrementAndGet();
            Thread.sleep(20);
            return List.of();
        });
    }

    /** Delivers another node's probe right after every notification. */
    static DataSource crowded(String url) {
        PGNotification stranger = proxy(PGNotification.class,
                (called, _) -> called.equals("getParameter") ? "PROBE stranger question" : called);
        return dataSource(url, (real, millis) -> {
            PGNotification[] received = real.getNotifications(millis);
            return received == null || received.length == 0 ? List.of()
                    : Stream.concat(Stream.of(received), Stream.of(stranger)).toList();
        });
    }

    /** Decides which notifications a connection delivers. */
    private interface Receiver {
        List<PGNotification> receive(PGConnection real, int millis) throws SQLException, InterruptedException;
    }

    private static DataSource dataSource(String url, Receiver receiver) {
        return proxy(DataSource.class, (method, arguments) -> switch (method) {
            case "getConnection" -> connection(DriverManager.getConnection(url), receiver);
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private static Connection connection(Connection real, Receiver receiver) {
        return (Connection) Proxy.newProxyInstance(TamperedNotifications.class.getClassLoader(),
                new Class<?>[]{Connection.class}, (_, method, arguments) -> {
                    if (method.getName().equals("unwrap")) {
                        return proxy(PGConnection.class, (called, values) -> {
                            if (!called.equals("getNotifications")) {
                                throw new UnsupportedOperationException(called);
                            }
                            return receiver.receive(real.unwrap(PGConnection.class), (int) values[0])
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
        return type.cast(Proxy.newProxyInstance(TamperedNotifications.class.getClassLoader(), new Class<?>[]{type},
                (_, method, arguments) -> handler.handle(method.getName(), arguments)));
    }
}
