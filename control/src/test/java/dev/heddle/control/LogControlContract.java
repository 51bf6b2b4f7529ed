package dev.heddle.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.JobLog;
import dev.heddle.control.model.JobLogQuery;
import dev.heddle.job.JobId;
import dev.heddle.job.JobType;
import dev.heddle.log.LogStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What a {@link Control} tells of the logs of jobs. */
abstract class LogControlContract extends StatsControlContract {

    private static final JobLogQuery ALL = JobLogQuery.ALL;

    private String submitChatty(CountDownLatch release) {
        JobType<JsonNode, JsonNode> chatty = JobType.of("chatty", JsonNode.class, JsonNode.class);
        pool.registerIfAbsent(chatty, (payload, job) -> {
            for (int i = 1; i <= 25; i++) {
                job.log().info("line {} & more / ü", i);
            }
            job.output(LogStream.STDERR, "\u001b[31mred\0");
            release.await();
            job.log().error("over");
            return payload;
        });
        return submit("chatty");
    }

    private static CountDownLatch released() {
        return new CountDownLatch(0);
    }

    /** Reads until the job has ended and all its lines were read. */
    private List<JobLog.Line> follow(String id, JobLogQuery first) {
        List<JobLog.Line> lines = new ArrayList<>();
        @Nullable JobLog page = null;
        do {
            page = control.logs(id, (page == null ? first : first.after(page.next())).timeout(Duration.ofSeconds(5)));
            assertThat(page.id()).isEqualTo(id);
            lines.addAll(page.lines());
        } while (!page.ended());
        return lines;
    }

    @Test
    void followsALogPageByPage() {
        String id = submitChatty(released());

        List<JobLog.Line> lines = follow(id, ALL.limit(4));
        assertThat(lines).hasSize(1 + 1 + 25 + 1 + 1 + 1);
        assertThat(lines.getFirst().text()).startsWith("Submitted to queue 'default'");
        assertThat(lines.get(2)).satisfies(line -> {
            assertThat(line.text()).isEqualTo("line 1 & more / ü");
            assertThat(line.level()).isEqualTo("INFO");
            assertThat(line.attempt()).isEqualTo(1);
            assertThat(line.stream()).isEqualTo(LogStream.LOG);
        });
        assertThat(lines).extracting(JobLog.Line::text).contains("\u001b[31mred\0").endsWith("over", "Completed");
    }

    @Test
    void selectsLines() {
        String id = submitChatty(released());
        follow(id, ALL);

        assertThat(control.logs(id, new JobLogQuery(1, Set.of(LogStream.LOG, LogStream.STDERR), null, null, null, null,
                null)).lines()).hasSize(27);
        assertThat(control.logs(id, new JobLogQuery(2, null, null, null, null, null, null)).lines()).isEmpty();
        assertThat(control.logs(id, new JobLogQuery(null, null, Level.WARN, null, null, null, null)).lines())
                .extracting(JobLog.Line::text).containsExactly("over");
        assertThat(control.logs(id, new JobLogQuery(null, null, null, "LINE 7 & more / Ü", null, null, null)).lines())
                .extracting(JobLog.Line::text).containsExactly("line 7 & more / ü");
    }

    @Test
    void waitsForLines() {
        CountDownLatch release = new CountDownLatch(1);
        String id = submitChatty(release);
        JobLogQuery logged = new JobLogQuery(null, Set.of(LogStream.LOG), null, null, null, null, LONG);
        JobLog first = control.logs(id, logged);
        assertThat(first.lines()).hasSize(25);
        assertThat(first.ended()).isFalse();
        JobLog none = control.logs(id, logged.after(first.next()).timeout(Duration.ofMillis(1)));
        assertThat(none.lines()).isEmpty();
        assertThat(none.ended()).isFalse();
        release.countDown();
        assertThat(control.logs(id, logged.after(none.next())).lines()).extracting(JobLog.Line::text)
                .containsExactly("over");
    }

    @Test
    void refusesQuestionsAboutLogsThatMakeNoSense() {
        String id = submitChatty(released());
        assertThat(assertRefused(Kind.INVALID, () -> control.logs(id, ALL.after("nonsense"))))
                .hasMessageContaining("cursor 'nonsense'");
        assertThat(assertRefused(Kind.INVALID, () -> control.logs(id, ALL.limit(0)))).hasMessageContaining("limit");
        assertThat(assertRefused(Kind.INVALID, () -> control.logs(id, ALL.limit(1_001)))).hasMessageContaining("1001");
        assertRefused(Kind.INVALID, () -> control.logs(id, new JobLogQuery(0, null, null, null, null, null, null)));
        assertRefused(Kind.INVALID, () -> control.logs(id, ALL.timeout(Duration.ofSeconds(-1))));
        assertRefused(Kind.NOT_FOUND, () -> control.logs(JobId.next().toString(), ALL));
    }
}
