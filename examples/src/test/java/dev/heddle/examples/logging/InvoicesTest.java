package dev.heddle.examples.logging;

import java.nio.file.Path;
import java.util.Set;

import ch.qos.logback.classic.LoggerContext;
import dev.heddle.examples.ExampleRunner;
import dev.heddle.log.LogLine;
import dev.heddle.log.LogQuery;
import dev.heddle.log.LogStream;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static dev.heddle.examples.ExampleRunner.LONG;
import static org.assertj.core.api.Assertions.assertThat;

class InvoicesTest {

    private static final LogQuery LOGGED = LogQuery.all().streams(Set.of(LogStream.LOG));

    @TempDir
    private Path directory;

    @Test
    void bringsTheLinesOfTheApplicationIntoTheLogOfTheJob() throws Exception {
        JobLogAppender appender = new JobLogAppender();
        appender.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        appender.start();
        ch.qos.logback.classic.Logger root = (ch.qos.logback.classic.Logger) LoggerFactory
                .getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        try (Pool pool = ExampleRunner.pool(directory).register(Invoices.INVOICE, Invoices::send).open()) {
            JobHandle<Integer> job = pool.submit(Invoices.INVOICE, "ada");
            assertThat(job.await(LONG)).isEqualTo(3);
            Awaitility.await().atMost(LONG).until(() -> pool.admin().logs(job.id(), LogQuery.all()).ended());

            assertThat(pool.admin().logs(job.id(), LOGGED).lines()).extracting(LogLine::text)
                    .containsExactly("Sending the invoice of ada", "ada has no language; using English");
        } finally {
            root.detachAppender(appender);
        }
    }
}
