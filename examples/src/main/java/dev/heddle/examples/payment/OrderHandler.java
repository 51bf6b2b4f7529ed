package dev.heddle.examples.payment;

import java.io.IOException;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobType;

/**
 * Charges a card and mails the receipt. When the mail fails the job is tried again, but the charge is a step: it is
 * committed with its receipt, and the next attempt gets that receipt instead of charging again.
 *
 * <p>One gap remains, and no queue can close it: a process that dies after the card was charged and before the step
 * was committed charges again. So the order's id goes along, for the other side to recognise the second call.
 */
record OrderHandler(Cards cards, Mail mail) implements JobHandler<Order, String> {

    static final JobType<Order, String> PAY = JobType.of("pay", Order.class, String.class);

    /** The bank's side. */
    interface Cards {
        /** Charges the card and returns the number of the receipt. */
        String charge(String card, long cents, String idempotencyKey) throws IOException;
    }

    /** The customer's side. */
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
