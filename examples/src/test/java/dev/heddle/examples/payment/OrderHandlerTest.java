package dev.heddle.examples.payment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.examples.Example;
import dev.heddle.job.JobState;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.Example.LONG;
import static dev.heddle.examples.payment.OrderHandler.PAY;
import static org.assertj.core.api.Assertions.assertThat;

class OrderHandlerTest {

    private static final Order ORDER = new Order("1042", "card-7", 1999);

    @TempDir private Path directory;

    private final List<String> charges = new CopyOnWriteArrayList<>();
    private final List<String> mails = new CopyOnWriteArrayList<>();
    private volatile boolean mailIsDown;

    private String charge(String card, long cents, String key) {
        charges.add(card + " " + cents);
        return "R-" + key;
    }

    private void send(String order, String text) throws IOException {
        mails.add(text);
        if (mailIsDown || mails.size() == 1) {
            throw new IOException("mail server is down");
        }
    }

    private Pool open() {
        return Example.pool(directory).handle(PAY, new OrderHandler(this::charge, this::send)).open();
    }

    @Test
    void chargesOnceWhenTheMailFailsAfterIt() throws Exception {
        try (Pool pool = open()) {
            assertThat(pool.submit(PAY, ORDER).await(LONG)).isEqualTo("R-1042");
        }
        assertThat(mails).as("attempts").hasSize(2).containsOnly("Thank you. Your receipt: R-1042");
        assertThat(charges).containsExactly("card-7 1999");
    }

    @Test
    void chargesOnceEvenWhenADeadLetterIsRetriedByAnotherPool() throws Exception {
        mailIsDown = true;
        JobHandle<String> order;
        try (Pool pool = open()) {
            order = pool.submit(PAY, ORDER);
            assertThat(order.end(LONG).state()).isEqualTo(JobState.FAILED);
        }
        mailIsDown = false;
        try (Pool pool = open()) {
            pool.deadLetters().retry(order.id());
            assertThat(pool.handle(order.id(), PAY).await(LONG)).isEqualTo("R-1042");
        }
        assertThat(mails).hasSize(4);
        assertThat(charges).containsExactly("card-7 1999");
    }

    @Test
    void theShopShowsIt() throws Exception {
        assertThat(Example.printed(Shop::main, directory.resolve("orders.db").toString())).containsExactly(
                "charged 1999 cents to card-7", "the mail server is down",
                "mailed: Thank you. Your receipt: R-1042");
    }
}
