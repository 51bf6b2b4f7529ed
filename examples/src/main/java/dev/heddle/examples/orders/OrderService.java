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

/** Stores orders with plain JDBC and submits the job that bills them in the same transaction. */
final class OrderService {

    static final JobType<Order, String> BILL = JobType.of("bill", Order.class, String.class);
    static final JobType<String, String> SHIP = JobType.of("ship", String.class, String.class);

    private final DataSource database;
    private final Pool pool;

    OrderService(DataSource database, Pool pool) {
        this.database = database;
        this.pool = pool;
    }

    /** Commits the order and its job together. If it throws, neither exists. */
    JobHandle<String> place(Order order) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                insert(connection, order);
                JobHandle<String> bill = pool.within(connection).submit(BILL, order);
                if (order.cents() <= 0) {
                    throw new IllegalArgumentException(
                            "order " + order.id() + " has an invalid amount of " + order.cents() + " cents");
                }
                connection.commit();
                return bill;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    /** Ships an order once it is billed. The sequel is committed with the end of the bill and survives a crash. */
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
