package dev.heddle.testkit.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.log.JobLogBridge;
import dev.heddle.log.LogChunk;
import dev.heddle.log.LogLine;
import dev.heddle.log.LogPage;
import dev.heddle.log.LogQuery;
import dev.heddle.log.LogStore;
import dev.heddle.log.LogStream;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.Pool;
import dev.heddle.store.Fence;
import dev.heddle.store.Store;
import dev.heddle.testkit.CrashedNode;
import dev.heddle.testkit.StoreCapabilities;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The logs of jobs: written by handlers, stored in groups, and read together with what happened. */
abstract class LogContract extends PoolFixture {

    private static final LogQuery LOGGED = LogQuery.all().streams(Set.of(LogStream.LOG));

    LogContract(PoolContract contract) {
        super(contract);
    }

    private void openLogging(JobHandler<Note, String> handler) {
        open(quick(Pool.on(newStoreWith(LogStore.class))).register(NOTE, handler));
    }

    private List<LogLine> read(JobId job, LogQuery query) {
        List<LogLine> lines = new ArrayList<>();
        @Nullable LogPage page = null;
        do {
            page = pool().admin().logs(job, page == null ? query : query.after(page.next()));
            lines.addAll(page.lines());
        } while (page.more());
        return lines;
    }

    /** Returns the log once all of it is stored. */
    private List<LogLine> complete(JobHandle<?> handle) {
        end(handle);
        await().until(() -> isComplete(handle.id()));
        return read(handle.id(), LogQuery.all());
    }

    private boolean isComplete(JobId job) {
        LogPage page = pool().admin().logs(job, LogQuery.all());
        while (page.more()) {
            page = pool().admin().logs(job, LogQuery.all().after(page.next()));
        }
        return page.ended();
    }

    private static List<String> texts(List<LogLine> lines) {
        return lines.stream().map(LogLine::text).toList();
    }

    /** Reads a log page by page. */
    private final class Follower {

        private final JobId job;
        private final List<LogLine> lines = new ArrayList<>();
        private LogQuery query;

        Follower(JobId job, LogQuery query) {
            this.job = job;
            this.query = query;
        }

        LogPage poll() {
            LogPage page = pool().admin().logs(job, query);
            lines.addAll(page.lines());
            query = query.after(page.next());
            return page;
        }

        List<String> texts() {
            return LogContract.texts(lines);
        }
    }

    @Test
    void interleavesWhatAHandlerLogsWithWhatHappens() {
        openLogging((note, job) -> {
            job.log().info("Attempt {} of {}", job.attempt(), note.text());
            if (job.attempt() == 1) {
                throw JobException.transientFailure("not yet").withoutStackTrace();
            }
            job.output(LogStream.STDERR, "a warning");
            return "";
        });

        JobHandle<String> handle = submit("x");
        // The retry may be noted in the same millisecond in which the next attempt starts.
        List<LogLine> lines = complete(handle).stream().filter(line -> !line.text().contains("Retry 1/2")).toList();

        assertThat(texts(lines)).satisfiesExactly(text -> assertThat(text).startsWith("Submitted"),
                text -> assertThat(text).startsWith("Started on"), text -> assertThat(text).isEqualTo("Attempt 1 of x"),
                text -> assertThat(text).startsWith("Failed (TRANSIENT): not yet"),
                text -> assertThat(text).startsWith("Started on"), text -> assertThat(text).isEqualTo("Attempt 2 of x"),
                text -> assertThat(text).isEqualTo("a warning"), text -> assertThat(text).isEqualTo("Completed"));
        assertThat(lines).extracting(LogLine::attempt).containsExactly(0, 1, 1, 1, 2, 2, 2, 2);
        assertThat(lines).extracting(LogLine::stream).contains(LogStream.EVENT, LogStream.LOG, LogStream.STDERR);
        assertThat(texts(read(handle.id(), LOGGED.attempt(2)))).containsExactly("Attempt 2 of x");
        assertThat(texts(read(handle.id(), LogQuery.all().text("ATTEMPT 1")))).containsExactly("Attempt 1 of x");
        assertThat(texts(read(handle.id(), LogQuery.all().level(Level.WARN)))).hasSize(1);
    }

    @Test
    void showsLinesWhileTheHandlerRuns() {
        CountDownLatch release = new CountDownLatch(1);
        openLogging((note, job) -> {
            job.log().warn("still here");
            release.await();
            return "";
        });
        JobHandle<String> handle = submit("x");

        await().until(() -> texts(read(handle.id(), LOGGED)).equals(List.of("still here")));
        assertThat(pool().admin().logs(handle.id(), LogQuery.all()).ended()).isFalse();
        release.countDown();
        end(handle);
    }

    @Test
    void followsALogByItsCursorWithoutMissingOrRepeatingALine() {
        openLogging((note, job) -> {
            for (int i = 1; i <= 500; i++) {
                job.log().info("line {}", i);
            }
            if (job.attempt() < 3) {
                throw new IllegalStateException("again");
            }
            return "";
        });
        JobHandle<String> handle = submit("x");

        Follower follower = new Follower(handle.id(), LogQuery.all().limit(7));
        await().until(() -> {
            LogPage page = follower.poll();
            assertThat(page.lines()).hasSizeLessThanOrEqualTo(7);
            return page.ended();
        });
        List<LogLine> followed = follower.lines;

        assertThat(followed).hasSize(3 * 500 + 1 + 6 + 2);
        for (int attempt = 1; attempt <= 3; attempt++) {
            int which = attempt;
            assertThat(followed.stream().filter(line -> line.attempt() == which && line.stream() == LogStream.LOG)
                    .map(LogLine::text)).containsExactlyElementsOf(
                            IntStream.rangeClosed(1, 500).mapToObj(i -> "line " + i).toList());
        }
    }

    @Test
    void keepsTheHeadAndTheTailOfALogThatIsTooLarge() {
        int count = 20_000;
        openLogging((note, job) -> {
            for (int i = 1; i <= count; i++) {
                job.log().info("line {} {}", i, "x".repeat(200));
            }
            return "";
        });
        JobHandle<String> handle = submit("x");

        List<LogLine> lines = complete(handle).stream().filter(line -> line.stream() == LogStream.LOG).toList();

        assertThat(lines.stream().mapToInt(line -> line.text().length()).sum()).isBetween(800_000, 1 << 20);
        assertThat(lines.getFirst().text()).startsWith("line 1 ");
        assertThat(lines.getLast().text()).startsWith("line " + count + " ");
        assertThat(lines).filteredOn(line -> line.text().contains("dropped here")).isNotEmpty();
        assertThat(lines.get(1_000).text()).startsWith("line 1001 ");
        assertThat(lines.get(lines.size() - 1_000).text()).startsWith("line " + (count - 999) + " ");
    }

    @Test
    void keepsExceptionsFieldsAndCutsLongLines() {
        openLogging((note, job) -> {
            job.log().error("broken", new IllegalStateException("why"));
            job.log().atInfo().addKeyValue("size", 7).log("done {}", "soon");
            job.log().info("y".repeat(100_000));
            job.log().debug("kept if the application wants it");
            job.log().info("{}", new Object() {
                @Override
                public String toString() {
                    throw new IllegalStateException("hostile");
                }
            });
            return "";
        });
        List<String> texts = complete(submit("x")).stream().filter(line -> line.stream() == LogStream.LOG)
                .map(LogLine::text).toList();

        assertThat(texts.get(0)).startsWith("broken\njava.lang.IllegalStateException: why\n\tat ");
        assertThat(texts.get(1)).isEqualTo("size=7 done soon");
        assertThat(texts.get(2)).hasSizeLessThan(20_000).endsWith("more characters)");
        assertThat(events()).anyMatch(event -> event.getFormattedMessage().equals("done soon")
                && event.getKeyValuePairs().getFirst().key.equals("size"));
    }

    @Test
    void bringsInLinesOfALoggingFrameworkByTheirMdc() {
        openLogging((note, job) -> {
            Map<String, String> mdc = Map.copyOf(MDC.getCopyOfContextMap());
            assertThat(JobLogBridge.add(mdc, "com.example.Mailer", Level.INFO, "sent")).isTrue();
            assertThat(JobLogBridge.add(mdc, JobLogBridge.JOB_LOGGERS + "note", Level.INFO, "there already")).isTrue();
            Thread other = Thread.ofPlatform()
                    .start(() -> JobLogBridge.add(mdc, "com.example.Helper", Level.WARN, "from another thread"));
            other.join();
            Map<String, String> before = new HashMap<>(mdc);
            before.put(JobLogBridge.ATTEMPT, "7");
            assertThat(JobLogBridge.add(before, "com.example.Helper", Level.WARN, "another attempt")).isFalse();
            return job.id() + " " + job.attempt();
        });
        JobHandle<String> handle = submit("x");

        assertThat(complete(handle).stream().filter(line -> line.stream() == LogStream.LOG).map(LogLine::text))
                .containsExactly("sent", "from another thread");
        assertThat(JobLogBridge.add(Map.of(JobLogBridge.JOB, handle.id().toString(), JobLogBridge.ATTEMPT, "1"), "a",
                Level.INFO, "late")).isFalse();
        LoggerFactory.getLogger(LogContract.class).info("outside of a job");
    }

    @Test
    void storesTheLastLinesWhenThePoolCloses() {
        openLogging((note, job) -> {
            job.log().info("begun");
            job.sleep(Duration.ofMinutes(5));
            return "";
        });
        JobHandle<String> handle = submit("x");
        await().until(() -> texts(read(handle.id(), LOGGED)).equals(List.of("begun")) || !logged("begun").isEmpty());
        pool().close();
        open(builderAgain().register(NOTE, (note, job) -> ""));
        end(handle.id());

        assertThat(texts(read(handle.id(), LOGGED))).contains("begun");
    }

    private List<String> logged(String text) {
        return logged().stream().filter(text::equals).toList();
    }

    private void end(JobId job) {
        await().until(() -> state(job).isFinal());
    }

    @Test
    void followsALogOverTheDeathOfANode() {
        Store store = newStoreWith(LogStore.class);
        JobId job = new CrashedNode(store, NOTE.name(), clock.instant()).running(1).getFirst();
        LogStore logs = StoreCapabilities.require(store, LogStore.class);
        Fence dead = new Fence(store.find(job).orElseThrow().seq(), 1, CrashedNode.NODE);
        assertThat(logs.append(List.of(new LogStore.Append(dead, chunk(1, "from the dead node")))))
                .containsExactly(true);
        open(on(store).register(NOTE, (note, running) -> {
            running.log().info("from the next node");
            return "";
        }));

        Follower follower = new Follower(job, LogQuery.all());
        await().until(() -> follower.texts().contains("from the next node") || follower.poll().ended());
        List<String> followed = follower.texts();

        assertThat(followed).containsSubsequence("from the dead node", "Node " + CrashedNode.NODE + " died",
                "from the next node");
        assertThat(followed).filteredOn(text -> text.startsWith("from")).hasSize(2);
        assertThat(logs.append(List.of(new LogStore.Append(dead, chunk(2, "late"))))).containsExactly(false);
    }

    private static LogChunk chunk(long number, String text) {
        return new LogChunk(1, List.of(new LogLine(1, number, Instant.EPOCH, Level.INFO, LogStream.LOG, text)), false);
    }

    @Test
    void ignoresWhatAnAbandonedHandlerLogs() throws Exception {
        CountDownLatch abandoned = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        openLogging((note, job) -> {
            if (job.attempt() == 1) {
                job.log().info("in time");
                while (abandoned.getCount() > 0) {
                    // Ignores its interrupts.
                    Thread.interrupted();
                    LockSupport.parkNanos(1_000_000);
                }
                job.log().info("too late");
                done.countDown();
            }
            return "";
        });
        JobHandle<String> handle = pool().submit(NOTE.with(new Note("x")).timeout(Duration.ofMillis(50)));
        end(handle);
        abandoned.countDown();
        done.await();

        assertThat(complete(handle)).extracting(LogLine::text).contains("in time").doesNotContain("too late");
    }

    @Test
    void refusesWhatMakesNoSense() {
        openLogging((note, job) -> "");
        JobHandle<String> handle = submit("x");
        end(handle);
        assertThatThrownBy(() -> pool().admin().logs(handle.id(), LogQuery.all().after("nonsense")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("cursor 'nonsense'");
        assertThatThrownBy(() -> LogQuery.all().limit(0)).hasMessageContaining("limit").hasMessageContaining("0");
        assertThatThrownBy(() -> LogQuery.all().attempt(0)).hasMessageContaining("attempt");
        JobId unknown = JobId.next();
        assertThatThrownBy(() -> pool().admin().logs(unknown, LogQuery.all())).isInstanceOf(NoSuchJobException.class);
    }
}
