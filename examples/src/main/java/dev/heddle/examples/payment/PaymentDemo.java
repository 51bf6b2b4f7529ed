package dev.heddle.examples.payment;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;

/** Runs the example: the mail server fails once, the job runs twice, and the card is charged once. */
final class PaymentDemo {

    private PaymentDemo() {}

    public static void main(String[] args) throws Exception {
        AtomicInteger mails = new AtomicInteger();
        PaymentHandler handler = new PaymentHandler((card, cents, key) -> {
            System.out.println("charged " + cents + " cents to " + card);
            return "R-" + key;
        }, (order, text) -> {
            if (mails.incrementAndGet() == 1) {
                System.out.println("the mail server is down");
                throw new IOException("mail server is down");
            }
            System.out.println("mailed: " + text);
        });
        try (Pool pool = Pool.on(SqliteStore.at(Path.of(args.length == 0 ? "orders.db" : args[0])))
                .retry(RetryPolicy.linear(2, Duration.ofMillis(100)))
                .register(PaymentHandler.PAY, handler)
                .open()) {
            pool.submit(PaymentHandler.PAY, new Order("1042", "card-7", 1999)).await(Duration.ofSeconds(30));
        }
    }
}
