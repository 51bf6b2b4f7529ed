package dev.heddle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/** Looks all the time at how many jobs of a key nodes hold, by the rows of the jobs alone. */
final class HeldWatch implements AutoCloseable {

    private static final String MOST_HELD = """
            SELECT count(*) FROM heddle.live l JOIN heddle.job j ON j.seq = l.seq WHERE l.node IS NOT NULL
            GROUP BY j.payload ->> 'key' ORDER BY 1 DESC LIMIT 1""";

    private final Thread thread;
    private volatile boolean closed;
    private final AtomicLong most = new AtomicLong();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile @Nullable SQLException failure;

    private HeldWatch(String location) {
        this.thread = Thread.ofPlatform().name("held-watch").unstarted(() -> {
            try (Connection connection = DriverManager.getConnection(location);
                    PreparedStatement statement = connection.prepareStatement(MOST_HELD)) {
                while (!closed) {
                    look(statement);
                    TimeUnit.MILLISECONDS.sleep(5);
                }
            } catch (SQLException e) {
                failure = e;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    static HeldWatch start(String location) {
        HeldWatch watch = new HeldWatch(location);
        watch.thread.start();
        return watch;
    }

    private void look(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            if (row.next()) {
                most.accumulateAndGet(row.getLong(1), Math::max);
            }
            looks.incrementAndGet();
        }
    }

    /** Returns the most that was ever seen. */
    long mostPerKey() throws SQLException {
        if (failure != null) {
            throw failure;
        }
        return most.get();
    }

    @Override
    public String toString() {
        return "%,d looks at the store, at most %d of a key".formatted(looks.get(), most.get());
    }

    @Override
    public void close() {
        closed = true;
    }
}
