package dev.heddle.examples.payment;

import java.io.IOException;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobType;

/**
 * Charges a card and mails the receipt. If the mail fails, the job is retried. The charge is a step: its receipt is
 * committed, and the next attempt gets that receipt instead of charging the card again.
 *
 * <p>One gap remains that no queue can close: if the process dies after the charge and before the step is committed,
 * the next attempt charges again. Therefore the order id is passed on as an idempotency key.
 */
record PaymentHandler(Cards cards, Mail mail) implements JobHandler<Order, String> {

    static final JobType<Order, String> PAY = JobType.of("pay", Order.class, String.class);

    /** The payment provider. */
    interface Cards {
        /** Charges the card and returns the receipt number. */
        String charge(String card, long cents, String idempotencyKey) throws IOException;
    }

    /** The mail server. */
    interface Mail {
        void send(String orderId, String text) throws IOException;
    }

    @Override
    public String handle(Order order, JobContext job) throws Exception {
        String receipt = job.step("charge", String.class,
                () -> cards.charge(order.card(), order.cents(), order.id()));
        mail.send(order.id(), "Thank you. Your receipt: " + receipt);
        return receipt;
    }
}
