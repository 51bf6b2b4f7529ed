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
 * An application that hands its own shutdown on to its pool. On SIGTERM or Ctrl-C the JVM runs its shutdown hooks and ends
 * when they have: the hook closes the pool, and that returns when every handler has finished or given way.
 *
 * <p>Run it, stop it in the middle, run it again: it goes on where it was, and everybody gets one mail.
 */
final class NewsletterService {

    private static final int RECIPIENTS = 40;

    private NewsletterService() {}

    /** Arguments: a directory for the database and the log of what was sent, and how many milliseconds a mail takes. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args.length == 0 ? "." : args[0]);
        Duration perMail = Duration.ofMillis(args.length < 2 ? 50 : Long.parseLong(args[1]));
        Pool pool = Pool.on(SqliteStore.at(directory.resolve("newsletter.db")))
                .closeTimeout(Duration.ofSeconds(10))
                .handle(NewsletterHandler.SEND,
                        new NewsletterHandler((recipient, _) -> send(recipient, perMail, directory)))
                .open();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            pool.close();
            System.out.println("closed: " + pool.closing().orElseThrow().summary());
        }));
        pool.submit(order()).await(Duration.ofMinutes(1));
        System.out.println("everybody has it");
    }

    /** The same job however often it is submitted: while it has not ended, it stands for itself. */
    private static JobRequest<Newsletter, Integer> order() {
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
