package dev.heddle.examples.orders;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import javax.sql.DataSource;

import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;

/** Takes orders with plain JDBC, and submits the job that bills them in the same transaction. */
final class OrderDesk {

    static final JobType<Order, String> BILL = JobType.of("bill", Order.class, String.class);

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

    private static void insert(Connection connection, Order order) throws SQLException {
        try (PreparedStatement insert = connection
                .prepareStatement("INSERT INTO orders (id, cents) VALUES (?, ?)")) {
            insert.setInt(1, order.id());
            insert.setInt(2, order.cents());
            insert.executeUpdate();
        }
    }
}
