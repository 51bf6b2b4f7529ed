package dev.heddle.examples.logging;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends invoices. The handler logs to its job; the mailer knows nothing of jobs and logs as it always did. */
final class Invoices {

    static final JobType<String, Integer> INVOICE = JobType.of("invoice", String.class, Integer.class);

    private static final Logger LOG = LoggerFactory.getLogger(Invoices.class);

    private Invoices() {}

    static int send(String customer, JobContext job) {
        job.log().info("Sending the invoice of {}", customer);
        return mail(customer);
    }

    private static int mail(String customer) {
        LOG.warn("{} has no language; using English", customer);
        return customer.length();
    }
}
