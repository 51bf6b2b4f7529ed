package dev.heddle.testkit.pool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.Sequel;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.testkit.CrashedNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Sequels: jobs that are submitted when another job ends. */
abstract class SequelContract extends PoolFixture {

    private static final JobType<String, String> NEWS = JobType.of("news", String.class, String.class);

    private final List<String> received = new CopyOnWriteArrayList<>();

    SequelContract(PoolContract contract) {
        super(contract);
    }

    private static List<JobRequest<String, String>> sequel(Job ended) {
        return List.of(NEWS.with(ended.state() + " " + ended.status().result()));
    }

    private PoolBuilder withSequel(PoolBuilder builder, Sequel sequel) {
        return builder.then(NOTE, sequel).register(NEWS, (news, job) -> {
            received.add(news);
            return "";
        });
    }

    @Test
    void runsTheSequelsOfACompletedAndAFailedJob() {
        open(withSequel(builder(), SequelContract::sequel).register(NOTE, (note, job) -> {
            if (note.text().equals("bad")) {
                throw JobException.permanent("bad");
            }
            return "ok";
        }));
        submit("good");
        submit("bad");

        await().until(() -> received.size() == 2);
        assertThat(received).containsExactlyInAnyOrder("COMPLETED \"ok\"", "FAILED null");
    }

    @Test
    void storesASequelWithTheEndOfItsJob() throws Exception {
        open(builder().then(NOTE, SequelContract::sequel).register(NOTE, (note, job) -> "ok"));

        submit("x").await(LONG);

        assertThat(pool().admin().list(JobQuery.all().type(NEWS.name()))).extracting(Job::state)
                .containsExactly(JobState.QUEUED);
    }

    @Test
    void submitsNoSequelForARetriedAttempt() throws Exception {
        open(withSequel(builder(), SequelContract::sequel).register(NOTE, (note, job) -> {
            if (job.attempt() == 1) {
                throw JobException.transientFailure("first");
            }
            return "ok";
        }));
        submit("x").await(LONG);

        await().until(() -> received.size() == 1);
        assertThat(received).containsExactly("COMPLETED \"ok\"");
    }

    @Test
    void endsAJobEvenIfItsSequelThrows() throws Exception {
        open(builder().then(NOTE, _ -> {
            throw new IllegalStateException("no idea");
        }).register(NOTE, (note, job) -> "ok"));

        assertThat(submit("x").await(LONG)).isEqualTo("ok");
        assertThat(logged()).anyMatch(line -> line.contains("the job ends without one"));
    }

    @Test
    void submitsTheSequelOfAJobThatCrashesDeadLettered() {
        Store store = newStore();
        JobId guilty = new CrashedNode(store, NOTE.name(), clock.instant()).runningSuspects(1).getFirst();

        open(withSequel(on(store), SequelContract::sequel).maxCrashes(1).register(NOTE, (note, job) -> "ok"));

        await().until(() -> received.size() == 1);
        assertThat(received).containsExactly("FAILED null");
        assertThat(state(guilty)).isEqualTo(JobState.FAILED);
    }

    @Test
    void acceptsASequelWhileThePoolIsOpen() {
        open(builder().register(NOTE, (note, job) -> "ok").register(NEWS, (news, job) -> {
            received.add(news);
            return "";
        }));
        pool().then(NOTE, SequelContract::sequel);

        JobHandle<String> handle = submit("x");

        await().until(() -> received.size() == 1);
        assertThat(state(handle.id())).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void refusesASecondSequelForAType() {
        PoolBuilder builder = builder().then(NOTE, SequelContract::sequel);

        assertThatThrownBy(() -> builder.then(NOTE, SequelContract::sequel))
                .hasMessage("job type 'note' has a sequel already");
    }
}
