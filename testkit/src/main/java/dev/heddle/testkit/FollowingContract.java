package dev.heddle.testkit;

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
import dev.heddle.store.Care;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What follows the end of a job. */
abstract class FollowingContract extends PoolFixture {

    private static final JobType<String, String> NEWS = JobType.of("news", String.class, String.class);

    private final List<String> heard = new CopyOnWriteArrayList<>();

    FollowingContract(PoolContract door) {
        super(door);
    }

    private static List<JobRequest<String, String>> news(Job ended) {
        return List.of(NEWS.with(ended.state() + " " + ended.status().result()));
    }

    private PoolBuilder following(PoolBuilder builder, Sequel sequel) {
        return builder.then(NOTE, sequel).handle(NEWS, (news, job) -> {
            heard.add(news);
            return "";
        });
    }

    @Test
    void runsWhatFollowsACompletedAndAFailedJob() {
        open(following(builder(), FollowingContract::news).handle(NOTE, (note, job) -> {
            if (note.text().equals("bad")) {
                throw JobException.permanent("bad");
            }
            return "ok";
        }));
        submit("good");
        submit("bad");

        await().until(() -> heard.size() == 2);
        assertThat(heard).containsExactlyInAnyOrder("COMPLETED \"ok\"", "FAILED null");
    }

    @Test
    void isStoredWhenTheEndIs() throws Exception {
        open(builder().then(NOTE, FollowingContract::news).handle(NOTE, (note, job) -> "ok"));

        submit("x").await(LONG);

        assertThat(pool().list(JobQuery.all().type(NEWS.name()))).extracting(Job::state)
                .containsExactly(JobState.QUEUED);
    }

    @Test
    void followsNoAttemptThatIsRetried() throws Exception {
        open(following(builder(), FollowingContract::news).handle(NOTE, (note, job) -> {
            if (job.attempt() == 1) {
                throw JobException.transientFailure("first");
            }
            return "ok";
        }));
        submit("x").await(LONG);

        await().until(() -> heard.size() == 1);
        assertThat(heard).containsExactly("COMPLETED \"ok\"");
    }

    @Test
    void endsAJobWithoutASequelThatCannotBeMade() throws Exception {
        open(builder().then(NOTE, _ -> {
            throw new IllegalStateException("no idea");
        }).handle(NOTE, (note, job) -> "ok"));

        assertThat(submit("x").await(LONG)).isEqualTo("ok");
        assertThat(logged()).anyMatch(line -> line.contains("it ends without"));
    }

    @Test
    void followsAJobThatACrashBuried() {
        Store store = newStore();
        JobId guilty = new Wreck(store, NOTE.name(), clock.instant()).running(1, Care.BLAMED).getFirst();

        open(following(on(store), FollowingContract::news).maxCrashes(0).handle(NOTE, (note, job) -> "ok"));

        await().until(() -> heard.size() == 1);
        assertThat(heard).containsExactly("FAILED null");
        assertThat(state(guilty)).isEqualTo(JobState.FAILED);
    }

    @Test
    void comesToAnOpenPool() {
        open(builder().handle(NOTE, (note, job) -> "ok").handle(NEWS, (news, job) -> {
            heard.add(news);
            return "";
        }));
        pool().then(NOTE, FollowingContract::news);

        JobHandle<String> handle = submit("x");

        await().until(() -> heard.size() == 1);
        assertThat(state(handle.id())).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void refusesASecondSequel() {
        PoolBuilder builder = builder().then(NOTE, FollowingContract::news);

        assertThatThrownBy(() -> builder.then(NOTE, FollowingContract::news))
                .hasMessage("job type 'note' has a sequel already");
    }
}
