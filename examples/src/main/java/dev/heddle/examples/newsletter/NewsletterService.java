package dev.heddle.examples.newsletter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.stream.IntStream;

import dev.heddle.job.JobRequest;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;

/**
 * An application that closes its pool when it is shut down. On SIGTERM or Ctrl-C the JVM runs its shutdown hooks and
 * then exits. The hook closes the pool, which returns when every handler has finished or stopped.
 *
 * <p>Run it, stop it in the middle, and run it again: it continues where it stopped, and every reader gets one mail.
 */
final class NewsletterService {

    private static final int RECIPIENTS = 40;

    private NewsletterService() {}

    /**
     * Arguments: a directory for the database and the log of sent mails, and the duration of a mail in milliseconds.
     */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args.length == 0 ? "." : args[0]);
        Duration perMail = Duration.ofMillis(args.length < 2 ? 50 : Long.parseLong(args[1]));
        Pool pool = Pool.on(SqliteStore.at(directory.resolve("newsletter.db")))
                .closeTimeout(Duration.ofSeconds(10))
                .register(NewsletterHandler.SEND,
                        new NewsletterHandler((recipient, _) -> send(recipient, perMail, directory)))
                .open();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            pool.close();
            System.out.println("closed: " + pool.closingReport().orElseThrow().summary());
        }));
        pool.submit(springNewsletter()).await(Duration.ofMinutes(1));
        System.out.println("all mails are sent");
    }

    /** The dedupe key makes repeated submits return the same job until it has ended. */
    private static JobRequest<Newsletter, Integer> springNewsletter() {
        return NewsletterHandler.SEND.with(new Newsletter("It is spring.",
                IntStream.rangeClosed(1, RECIPIENTS).mapToObj(i -> "reader-" + i).toList()))
                .dedupeKey("spring");
    }

    private static void send(String recipient, Duration takes, Path directory)
            throws IOException, InterruptedException {
        Thread.sleep(takes);
        Files.writeString(directory.resolve("sent.log"), recipient + "\n", StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        System.out.println("sent to " + recipient);
    }
}
