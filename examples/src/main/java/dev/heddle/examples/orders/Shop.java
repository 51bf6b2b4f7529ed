package dev.heddle.examples.orders;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;

import dev.heddle.job.Job;
import dev.heddle.pool.Pool;
import dev.heddle.postgres.PostgresStore;
import dev.heddle.store.JobQuery;
import org.postgresql.ds.PGSimpleDataSource;

/** Shows it, on the database whose URL it is given: an order that is billed and then shipped, and one that never was. */
final class Shop {

    private Shop() {}

    public static void main(String[] args) throws Exception {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(args[0]);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS orders (id int PRIMARY KEY, cents int NOT NULL)");
        }
        try (Pool pool = Pool.on(PostgresStore.on(database))
                .handle(OrderDesk.BILL,
                        (order, job) -> "bill for order " + order.id() + ": " + order.cents() + " cents")
                .handle(OrderDesk.SHIP, (bill, job) -> "shipped")
                .then(OrderDesk.BILL, OrderDesk::afterBill)
                .open()) {
            OrderDesk desk = new OrderDesk(database, pool);
            System.out.println(desk.place(new Order(1, 1999)).await(Duration.ofSeconds(30)));
            try {
                desk.place(new Order(2, -5));
            } catch (IllegalArgumentException e) {
                System.out.println("refused: " + e.getMessage());
            }
            System.out.println(
                    "jobs: " + pool.list(JobQuery.all()).reversed().stream().map(Job::type).toList());
        }
    }
}
