package dev.heddle.examples.payment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.examples.ExampleRunner;
import dev.heddle.job.JobState;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.ExampleRunner.LONG;
import static dev.heddle.examples.payment.PaymentHandler.PAY;
import static org.assertj.core.api.Assertions.assertThat;

class PaymentHandlerTest {

    private static final Order ORDER = new Order("1042", "card-7", 1999);

    @TempDir
    private Path directory;

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
        return ExampleRunner.pool(directory).register(PAY, new PaymentHandler(this::charge, this::send))
                .open();
    }

    @Test
    void chargesTheCardOnceIfTheMailFails() throws Exception {
        try (Pool pool = open()) {
            assertThat(pool.submit(PAY, ORDER).await(LONG)).isEqualTo("R-1042");
        }
        assertThat(mails).as("attempts").hasSize(2).containsOnly("Thank you. Your receipt: R-1042");
        assertThat(charges).containsExactly("card-7 1999");
    }

    @Test
    void chargesTheCardOnceIfAnotherPoolRetriesTheDeadLetter() throws Exception {
        mailIsDown = true;
        JobHandle<String> order;
        try (Pool pool = open()) {
            order = pool.submit(PAY, ORDER);
            assertThat(order.awaitEnd(LONG).state()).isEqualTo(JobState.FAILED);
        }
        mailIsDown = false;
        try (Pool pool = open()) {
            pool.admin().deadLetters().retry(order.id());
            assertThat(pool.job(order.id(), PAY).await(LONG)).isEqualTo("R-1042");
        }
        assertThat(mails).hasSize(4);
        assertThat(charges).containsExactly("card-7 1999");
    }

    @Test
    void runsTheDemo() throws Exception {
        assertThat(ExampleRunner.printed(PaymentDemo::main, directory.resolve("orders.db").toString()))
                .containsExactly(
                        "charged 1999 cents to card-7", "the mail server is down",
                        "mailed: Thank you. Your receipt: R-1042");
    }
}
