package dev.heddle.testkit;

import java.math.BigDecimal;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Artifact;
import dev.heddle.run.Run.Usage;
import dev.heddle.run.Run.Work;
import dev.heddle.run.RunArchive;
import dev.heddle.run.RunArchive.Output;
import dev.heddle.store.Command;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Retention;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What attempts left that ran as processes, kept as long as their job. */
abstract class RunContract extends StoreFixture {

    private static final String HERE = "host:/here/.heddle";
    private static final String THERE = "host:/there/.heddle";

    RunContract(StoreContract door) {
        super(door);
    }

    private RunArchive archive() {
        return (RunArchive) store;
    }

    private static Run run(JobId job, int attempt) {
        return new Run(job, attempt, HERE, 1,
                new Work("/src/app", "abc", "refs/heddle/" + job + "/" + attempt),
                List.of(new Artifact("build/a.xml", 3), new Artifact("b", 0)), true,
                new Usage("claude", null, "s-1", 3_210, new BigDecimal("0.25"), true));
    }

    @Test
    void keepsARunAndReplacesIt() {
        JobId id = insert(Draft.of("build"));
        Run begun = Run.begun(id, 1, HERE);
        assertThat(archive().keep(begun, Output.NONE)).isTrue();
        assertThat(archive().runs(id)).containsExactly(begun);
        Run over = run(id, 1);
        assertThat(archive().keep(over, new Output("out ü\n", "err"))).isTrue();
        archive().keep(Run.begun(id, 2, HERE), Output.NONE);
        restart(at(5));
        assertThat(archive().runs(id)).containsExactly(over, Run.begun(id, 2, HERE));
        assertThat(archive().output(id, 1)).hasValue(new Output("out ü\n", "err"));
        assertThat(archive().output(id, 3)).isEmpty();
    }

    @Test
    void keepsNothingOfAJobThatIsNotThere() {
        JobId unknown = JobId.next();
        assertThat(archive().keep(Run.begun(unknown, 1, HERE), Output.NONE)).isFalse();
        assertThat(archive().runs(unknown)).isEmpty();
        assertThat(archive().leftBehind(HERE, 10)).isEmpty();
    }

    @Test
    void saysWhatDeletedJobsLeftAtAPlace() {
        JobId deleted = insert(Draft.of("build"));
        JobId stays = insert(Draft.of("build"));
        for (JobId id : List.of(deleted, stays)) {
            archive().keep(run(id, 1), new Output("secret", ""));
            archive().keep(Run.begun(id, 2, THERE), Output.NONE);
        }
        store.execute(new Command.Delete(deleted, ACTOR, at(1)));
        assertThat(archive().runs(deleted)).isEmpty();
        assertThat(archive().output(deleted, 1)).isEmpty();
        assertThat(archive().leftBehind(HERE, 10)).containsExactly(run(deleted, 1));
        assertThat(archive().leftBehind(THERE, 10)).containsExactly(Run.begun(deleted, 2, THERE));
        archive().forget(archive().leftBehind(HERE, 10));
        assertThat(archive().leftBehind(HERE, 10)).isEmpty();
        assertThat(archive().leftBehind(THERE, 10)).hasSize(1);
        assertThat(archive().runs(stays)).hasSize(2);
    }

    @Test
    void doesNotForgetRunsOfJobsThatAreThere() {
        JobId id = insert(Draft.of("build"));
        archive().keep(run(id, 1), Output.NONE);
        archive().forget(List.of(run(id, 1)));
        assertThat(archive().runs(id)).hasSize(1);
    }

    @Test
    void pruningAndPurgingTakeRunsAlong() {
        JobId pruned = completed(Draft.of("build"), at(2));
        JobId purged = dead(Draft.of("build"));
        archive().keep(run(pruned, 1), Output.NONE);
        archive().keep(run(purged, 1), Output.NONE);
        Retention standard = Retention.standard();
        assertThat(store.prune(standard, at(3).plus(standard.age()))).isEqualTo(1);
        assertThat(archive().leftBehind(HERE, 10)).containsExactly(run(pruned, 1));
        store.execute(new Command.PurgeMatching(JobQuery.all(), ACTOR, at(4)));
        assertThat(archive().leftBehind(HERE, 10)).containsExactly(run(pruned, 1), run(purged, 1));
        assertThat(archive().leftBehind(HERE, 1)).hasSize(1);
    }
}
