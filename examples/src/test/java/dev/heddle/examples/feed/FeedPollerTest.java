package dev.heddle.examples.feed;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.examples.ExampleRunner;
import dev.heddle.examples.feed.FeedPoller.Feed;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.ExampleRunner.LONG;
import static dev.heddle.examples.feed.FeedPoller.POLL;
import static org.assertj.core.api.Assertions.assertThat;

class FeedPollerTest {

    @TempDir
    private Path directory;

    private final News news = new News();

    /** A feed that fails once, in the middle. */
    private static final class News implements Feed {
        final List<String> entries = new CopyOnWriteArrayList<>(List.of("one", "two", "three"));
        final List<String> handled = new CopyOnWriteArrayList<>();
        private boolean failed;

        @Override
        public List<String> after(String name, int last) {
            return entries.subList(last, Math.min(entries.size(), last + 2));
        }

        @Override
        public void handle(String entry) throws IOException {
            if (entry.equals("two") && !failed) {
                failed = true;
                throw new IOException("the feed is not available");
            }
            handled.add(entry);
        }
    }

    private Pool open() throws Exception {
        return ExampleRunner.pool(directory).retry(RetryPolicy.linear(3, Duration.ZERO))
                .register(POLL, new FeedPoller(news, Duration.ZERO, Duration.ofMillis(20)).asJobHandler()).open();
    }

    @Test
    void handlesEachEntryOnceAcrossRunsFailuresAndRestarts() throws Exception {
        JobHandle<Void> poller;
        try (Pool pool = open()) {
            poller = FeedPoller.start(pool, "news");
            Awaitility.await().atMost(LONG).until(() -> news.handled.size() == 3);
        }
        news.entries.add("four");
        try (Pool pool = open()) {
            assertThat(FeedPoller.start(pool, "news").id()).as("the same job").isEqualTo(poller.id());
            Awaitility.await().atMost(LONG).until(() -> news.handled.size() == 4);
            assertThat(pool.find(poller.id()).orElseThrow().state()).isNotIn(JobState.COMPLETED, JobState.FAILED);
        }
        assertThat(news.handled).containsExactly("one", "two", "three", "four");
    }
}
