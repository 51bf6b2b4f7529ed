package dev.heddle.examples.newsletter;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import dev.heddle.examples.ExampleRunner;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.ExampleRunner.LONG;
import static dev.heddle.examples.newsletter.NewsletterHandler.SEND;
import static org.assertj.core.api.Assertions.assertThat;

class NewsletterTest {

    private static final List<String> READERS = IntStream.rangeClosed(1, 10).mapToObj(i -> "reader-" + i)
            .toList();

    @TempDir
    private Path directory;

    private final List<String> sent = new CopyOnWriteArrayList<>();

    @Test
    void finishesTheCurrentMailOnCloseAndContinuesAfterARestart() throws Exception {
        CountDownLatch fourth = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        NewsletterHandler handler = new NewsletterHandler((recipient, _) -> {
            if (sent.size() == 3) {
                fourth.countDown();
                told.await();
            }
            sent.add(recipient);
        });
        Pool pool = ExampleRunner.pool(directory).closeTimeout(LONG).register(SEND, (letter, job) -> {
            job.cancellation().onCancel(told::countDown);
            return handler.handle(letter, job);
        }).open();
        JobId id = pool.submit(SEND, new Newsletter("It is spring.", READERS)).id();
        fourth.await();
        pool.close();

        assertThat(sent).as("stopped in the middle").hasSize(4);
        assertThat(pool.closingReport().orElseThrow().requeued()).isEqualTo(1);
        try (Pool next = ExampleRunner.pool(directory)
                .register(SEND, new NewsletterHandler((recipient, _) -> sent.add(recipient))).open()) {
            assertThat(next.job(id, SEND).await(LONG)).isEqualTo(10);
            Job job = next.find(id).orElseThrow();
            assertThat(job.counts()).as("no failure was counted").isEqualTo(new Job.Counts(2, 0, 0));
        }
        assertThat(sent).as("one mail each").isEqualTo(READERS);
    }

    @Test
    void closesThePoolOnSigterm() throws Exception {
        // Mails are slow enough here for the signal to arrive before the last one.
        try (ChildJvm service = ChildJvm.start(NewsletterService.class, directory.toString(), "1000")) {
            service.awaitLine("sent to reader-2"::equals);
            new ProcessBuilder("kill", "-TERM", String.valueOf(service.pid())).start().waitFor();
            assertThat(service.exitCode(Duration.ofSeconds(30))).as("ended by SIGTERM").isEqualTo(143);
            assertThat(service.lines()).as("among the stack trace of the interrupted main thread")
                    .anyMatch(line -> line
                            .startsWith("closed: 0 finished, 1 requeued, 0 released, 0 abandoned, in "));
        }
        try (ChildJvm service = ChildJvm.start(NewsletterService.class, directory.toString())) {
            assertThat(service.exitCode(Duration.ofSeconds(60))).as("%s", service.lines()).isZero();
            assertThat(service.lines()).contains("all mails are sent");
        }
        assertThat(Files.readAllLines(directory.resolve("sent.log"))).as("one mail each, in order")
                .isEqualTo(IntStream.rangeClosed(1, 40).mapToObj(i -> "reader-" + i).toList());
    }
}
