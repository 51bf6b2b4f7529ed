package dev.heddle.examples.orders;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;

import dev.heddle.job.Job;
import dev.heddle.pool.Pool;
import dev.heddle.postgres.PostgresStore;
import dev.heddle.store.JobQuery;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs the example on the database with the given URL: one order is billed and shipped, and one is rolled back. */
final class OrderDemo {

    private OrderDemo() {}

    public static void main(String[] args) throws Exception {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(args[0]);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS orders (id int PRIMARY KEY, cents int NOT NULL)");
        }
        try (Pool pool = Pool.on(PostgresStore.on(database))
                .register(OrderService.BILL,
                        (order, job) -> "bill for order " + order.id() + ": " + order.cents() + " cents")
                .register(OrderService.SHIP, (bill, job) -> "shipped")
                .then(OrderService.BILL, OrderService::afterBill)
                .open()) {
            OrderService orders = new OrderService(database, pool);
            System.out.println(orders.place(new Order(1, 1999)).await(Duration.ofSeconds(30)));
            try {
                orders.place(new Order(2, -5));
            } catch (IllegalArgumentException e) {
                System.out.println("refused: " + e.getMessage());
            }
            System.out.println(
                    "jobs: " + pool.admin().list(JobQuery.all()).reversed().stream().map(Job::type).toList());
        }
    }
}
