package dev.heddle.sql;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.DeadLetter;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.JobQuery;
import dev.heddle.store.JobReader;
import dev.heddle.store.Store;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Rows that make no sense: the job that has one is shown with a note and cannot run, and no other job notices. */
public abstract class DamagedRowContract {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final JobType<String, String> NOTE = JobType.of("note", String.class, String.class);

    /** Opens the store, with its content from before if there is any. */
    protected abstract Store open();

    /** Changes rows behind the store's back. {@code heddle.} stands for the schema. */
    protected abstract void change(String sql) throws SQLException;

    private static PoolBuilder pool(Store store) {
        return Pool.on(store).closeTimeout(Duration.ofMillis(200));
    }

    private static JobHandle<String> submit(Pool pool, String text) {
        return pool.submit(NOTE.with(text).subject(text).tags("tagged").headers(Map.of("k", "v")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"job | tags = '{\"a\":1}' | tags", "job | headers = '[1,2]' | headers",
        "live | phase = 'ODD' | phase", "job | type = 'other' | queued as 'note'"})
    void makesADeadLetterOfADamagedJobAndRunsTheOthers(String table, String damage, String reason) throws Exception {
        List<JobId> ids;
        try (Pool submitting = pool(open()).open()) {
            ids = IntStream.range(0, 20).mapToObj(i -> submit(submitting, i == 7 ? "bad" : "good").id()).toList();
        }
        try (Store created = open()) {
            assertThat(created.find(ids.get(7))).isPresent();
            change("UPDATE heddle." + table + " SET " + damage
                    + " WHERE seq = (SELECT seq FROM heddle.job WHERE subject = 'bad')");
        }
        try (Pool running = pool(open()).register(NOTE, (text, job) -> "ok").open()) {
            Awaitility.await().atMost(LONG).until(() -> running.admin().list(JobQuery.all()).stream()
                    .allMatch(job -> job.state().isFinal()));
            assertThat(running.admin().list(JobQuery.all())).hasSize(20)
                    .allSatisfy(job -> assertThat(job.state()).isEqualTo(
                            job.id().equals(ids.get(7)) ? JobState.FAILED : JobState.COMPLETED));
            assertThat(running.admin().deadLetters().list(10)).singleElement().satisfies(dead -> {
                assertThat(dead.id()).isEqualTo(ids.get(7));
                assertThat(dead.reason()).contains("The store cannot read this job", reason);
                assertThat(dead.details().orElseThrow().category()).isEqualTo(FailureCategory.PERMANENT);
            });
        }
    }

    @Test
    void listsADeadLetterWhoseFailureIsDamaged() throws Exception {
        try (Pool pool = pool(open()).register(NOTE, (text, job) -> {
            throw JobException.permanent("it was " + text);
        }).open()) {
            JobHandle<String> good = submit(pool, "good");
            JobHandle<String> bad = submit(pool, "bad");
            good.awaitEnd(LONG);
            bad.awaitEnd(LONG);
            change("""
                    UPDATE heddle.attempt SET failure = '"oops"', outcome = 'ODD'
                    WHERE seq = (SELECT seq FROM heddle.job WHERE subject = 'bad')""");
            change("UPDATE heddle.history SET to_state = 'ODD' WHERE seq = (SELECT max(seq) FROM heddle.job)");

            assertThat(pool.admin().deadLetters().list(10)).extracting(DeadLetter::id).containsExactly(bad.id(),
                    good.id());
            Job shown = pool.find(bad.id()).orElseThrow();
            assertThat(shown.failure().orElseThrow().message()).contains("unreadable failure", "oops");
            assertThat(pool.admin().details(bad.id()).orElseThrow().history()).last()
                    .satisfies(entry -> assertThat(entry.reason()).contains("unreadable to_state 'ODD'"));
        }
    }

    @Test
    void showsAJobInAnUnknownStateAndLetsAPersonCancelIt() throws Exception {
        try (Store store = open(); Pool pool = pool(store).open()) {
            JobHandle<String> good = submit(pool, "good");
            JobHandle<String> bad = submit(pool, "bad");
            change("UPDATE heddle.live SET state = 'ODD' WHERE seq = (SELECT max(seq) FROM heddle.job)");

            assertThat(pool.admin().list(JobQuery.all())).extracting(Job::id).containsExactly(bad.id(), good.id());
            Job shown = pool.find(bad.id()).orElseThrow();
            assertThat(shown.state()).isEqualTo(JobState.PAUSED);
            assertThat(shown.reason().orElseThrow()).contains("unreadable state 'ODD'");
            assertThat(shown.spec().headers()).containsEntry("k", "v").containsKey(JobReader.DAMAGE_HEADER);
            bad.cancel("odd");
            assertThat(pool.find(bad.id()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        }
    }
}
