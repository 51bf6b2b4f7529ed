package dev.heddle.examples.orders;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import javax.sql.DataSource;

import dev.heddle.job.Job;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;

/** Takes orders with plain JDBC, and submits the job that bills them in the same transaction. */
final class OrderDesk {

    static final JobType<Order, String> BILL = JobType.of("bill", Order.class, String.class);
    static final JobType<String, String> SHIP = JobType.of("ship", String.class, String.class);

    private final DataSource database;
    private final Pool pool;

    OrderDesk(DataSource database, Pool pool) {
        this.database = database;
        this.pool = pool;
    }

    /** The order and its job are there when this returns; where it throws, neither ever was. */
    JobHandle<String> place(Order order) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                insert(connection, order);
                JobHandle<String> bill = pool.within(connection).submit(BILL, order);
                if (order.cents() <= 0) {
                    throw new IllegalArgumentException("an order over " + order.cents() + " cents");
                }
                connection.commit();
                return bill;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    /** What has been billed is shipped: stored with the end of the bill, whatever happens to this node then. */
    static List<JobRequest<String, String>> afterBill(Job bill) {
        return bill.state() == JobState.COMPLETED ? List.of(SHIP.with("bill " + bill.id())) : List.of();
    }

    private static void insert(Connection connection, Order order) throws SQLException {
        try (PreparedStatement insert = connection
                .prepareStatement("INSERT INTO orders (id, cents) VALUES (?, ?)")) {
            insert.setInt(1, order.id());
            insert.setInt(2, order.cents());
            insert.executeUpdate();
        }
    }
}
