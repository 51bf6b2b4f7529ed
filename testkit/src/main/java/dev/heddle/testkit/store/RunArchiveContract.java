package dev.heddle.testkit.store;

import java.math.BigDecimal;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import dev.heddle.run.Run.Artifact;
import dev.heddle.run.Run.Usage;
import dev.heddle.run.Run.Work;
import dev.heddle.run.RunArchive;
import dev.heddle.run.RunArchive.Output;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Retention;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Records of attempts that ran as processes. A record lives as long as its job. */
abstract class RunArchiveContract extends StoreFixture {

    private static final String THIS_HOME = "host:/here/.heddle";
    private static final String OTHER_HOME = "host:/there/.heddle";

    RunArchiveContract(StoreContract contract) {
        super(contract);
    }

    private RunArchive archive() {
        return capability(RunArchive.class);
    }

    private static Run run(JobId job, int attempt) {
        return new Run(job, attempt, THIS_HOME, 1, new Work("/src/app", "abc", "refs/heddle/" + job + "/" + attempt),
                List.of(new Artifact("build/a.xml", 3), new Artifact("b", 0)), true,
                new Usage("claude", null, "s-1", 3_210, new BigDecimal("0.25"), true));
    }

    @Test
    void storesARunAndReplacesIt() {
        JobId id = insert(JobDraft.of("build"));
        Run begun = Run.started(id, 1, THIS_HOME);
        assertThat(archive().save(begun, Output.EMPTY)).isTrue();
        assertThat(archive().runs(id)).containsExactly(begun);
        Run over = run(id, 1);
        assertThat(archive().save(over, new Output("out ü\n", "err"))).isTrue();
        archive().save(Run.started(id, 2, THIS_HOME), Output.EMPTY);
        restart(at(5));
        assertThat(archive().runs(id)).containsExactly(over, Run.started(id, 2, THIS_HOME));
        assertThat(archive().output(id, 1)).hasValue(new Output("out ü\n", "err"));
        assertThat(archive().output(id, 3)).isEmpty();
    }

    @Test
    void storesNothingForAnUnknownJob() {
        JobId unknown = JobId.next();
        assertThat(archive().save(Run.started(unknown, 1, THIS_HOME), Output.EMPTY)).isFalse();
        assertThat(archive().runs(unknown)).isEmpty();
        assertThat(archive().runsOfDeletedJobs(THIS_HOME, 10)).isEmpty();
    }

    @Test
    void listsTheRunsThatDeletedJobsLeftBehind() {
        JobId deleted = insert(JobDraft.of("build"));
        JobId kept = insert(JobDraft.of("build"));
        for (JobId id : List.of(deleted, kept)) {
            archive().save(run(id, 1), new Output("secret", ""));
            archive().save(Run.started(id, 2, OTHER_HOME), Output.EMPTY);
        }
        store.execute(new AdminCommand.Delete(deleted, ACTOR, at(1)));
        assertThat(archive().runs(deleted)).isEmpty();
        assertThat(archive().output(deleted, 1)).isEmpty();
        assertThat(archive().runsOfDeletedJobs(THIS_HOME, 10)).containsExactly(run(deleted, 1));
        assertThat(archive().runsOfDeletedJobs(OTHER_HOME, 10)).containsExactly(Run.started(deleted, 2, OTHER_HOME));
        archive().forget(archive().runsOfDeletedJobs(THIS_HOME, 10));
        assertThat(archive().runsOfDeletedJobs(THIS_HOME, 10)).isEmpty();
        assertThat(archive().runsOfDeletedJobs(OTHER_HOME, 10)).hasSize(1);
        assertThat(archive().runs(kept)).hasSize(2);
    }

    @Test
    void neverForgetsTheRunsOfExistingJobs() {
        JobId id = insert(JobDraft.of("build"));
        archive().save(run(id, 1), Output.EMPTY);
        archive().forget(List.of(run(id, 1)));
        assertThat(archive().runs(id)).hasSize(1);
    }

    @Test
    void leavesRunsBehindWhenJobsArePrunedOrPurged() {
        JobId pruned = completed(JobDraft.of("build"), at(2));
        JobId purged = dead(JobDraft.of("build"));
        archive().save(run(pruned, 1), Output.EMPTY);
        archive().save(run(purged, 1), Output.EMPTY);
        Retention standard = Retention.standard();
        assertThat(store.prune(standard, at(3).plus(standard.age()))).isEqualTo(1);
        assertThat(archive().runsOfDeletedJobs(THIS_HOME, 10)).containsExactly(run(pruned, 1));
        store.execute(new AdminCommand.PurgeMatching(JobQuery.all(), ACTOR, at(4)));
        assertThat(archive().runsOfDeletedJobs(THIS_HOME, 10)).containsExactly(run(pruned, 1), run(purged, 1));
        assertThat(archive().runsOfDeletedJobs(THIS_HOME, 1)).hasSize(1);
    }
}
