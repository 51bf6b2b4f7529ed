package dev.heddle.examples.newsletter;

import java.io.IOException;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobType;

/**
 * Mails a newsletter to one recipient after the other. Before each it asks whether it should stop, after each it saves how
 * far it is. So when its pool closes, the mail that is under way is finished and the next is not begun; the job goes
 * back to the queue, nothing is counted against it, and the next attempt goes on with the next recipient.
 *
 * <p>A process that is killed between a mail and its checkpoint sends that one mail again.
 */
record NewsletterHandler(Mail mail) implements JobHandler<Newsletter, Integer> {

    static final JobType<Newsletter, Integer> SEND = JobType.of("newsletter", Newsletter.class,
            Integer.class);

    /** The mail server's side. */
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
