package dev.heddle.cli.demo;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import org.jspecify.annotations.Nullable;

/** Runs the steps of an order. From step number {@code hangFrom} on, steps hang, so a kill hits running steps. */
final class OrderHandler implements JobHandler<Order, Void> {

    static final int NEVER_HANG = Integer.MAX_VALUE;

    private final StepLog log;
    private final int hangFrom;
    private final AtomicInteger started = new AtomicInteger();

    OrderHandler(StepLog log, int hangFrom) {
        this.log = log;
        this.hangFrom = hangFrom;
    }

    @Override
    public @Nullable Void handle(Order order, JobContext job) throws Exception {
        for (String step : Order.STEPS) {
            job.step(step, Integer.class, () -> {
                int number = started.incrementAndGet();
                log.ran(order.name(), step);
                if (number >= hangFrom) {
                    job.sleep(Duration.ofMinutes(1));
                }
                return number;
            });
        }
        return null;
    }
}
