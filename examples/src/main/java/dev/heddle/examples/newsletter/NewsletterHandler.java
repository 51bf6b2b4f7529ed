package dev.heddle.examples.newsletter;

import java.io.IOException;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobType;

/**
 * Mails a newsletter to one recipient after the other. Before each mail it checks whether to stop, and after each mail
 * it saves a checkpoint. When the pool closes, the current mail is finished and the next one is not started. The job
 * returns to the queue without a failure being counted, and the next attempt continues with the next recipient.
 *
 * <p>If the process is killed between a mail and its checkpoint, that one mail is sent twice.
 */
record NewsletterHandler(Mail mail) implements JobHandler<Newsletter, Integer> {

    static final JobType<Newsletter, Integer> SEND = JobType.of("newsletter", Newsletter.class,
            Integer.class);

    /** The mail server. */
    @FunctionalInterface
    interface Mail {
        void send(String recipient, String text) throws IOException, InterruptedException;
    }

    @Override
    public Integer handle(Newsletter letter, JobContext job) throws Exception {
        int total = letter.recipients().size();
        for (int sent = job.checkpoint(Integer.class).orElse(0); sent < total; sent++) {
            job.cancellation().throwIfCancelled();
            mail.send(letter.recipients().get(sent), letter.text());
            job.saveCheckpoint(sent + 1);
            job.progress(sent + 1L, total, "sent");
        }
        return total;
    }
}
