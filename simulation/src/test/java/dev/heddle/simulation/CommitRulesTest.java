package dev.heddle.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.Transition;
import dev.heddle.memory.MemoryStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CommitRulesTest {

    private static final JobId JOB = JobId.of("0190a2b4-0000-7000-8000-000000000001");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final MemoryStore store = new MemoryStore();
    private final Stories stories = new Stories();
    private final CommitRules rules = new CommitRules(new GivenEvidence(stories, store, Map.of(), false));

    @BeforeEach
    void submit() {
        store.join(new NodeRecord("a", NOW, NOW, Duration.ofSeconds(30), "[]"), StoreListener.none());
        stories.add(new Report(JOB, 0, "a", 0, new Report.Submitted(Work.ECHO, 1)));
        List<Submission> jobs = List.of(new Submission(List
                .of(new NewJob(new JobSpec(JOB, "echo", "default", 0, "1", NOW, JobSpec.Extras.NONE)))));

        assertThat(rules.wrong(new Object[]{jobs}, store.insert(jobs))).isEmpty();
    }

    private ClaimResult claim() {
        return store.claim(new ClaimRequest("a", NOW, 1, List.of(new ClaimRequest.Wanted("echo", false, 1))));
    }

    private static List<Change> completion(ClaimResult claimed) {
        return List.of(new Change.Ended(claimed.claims().getFirst().fence(),
                new Change.Execution("a/1", NOW, NOW, NOW, Attempt.End.COMPLETED, null),
                new Transition.Complete("\"ok\""), false, List.of()));
    }

    @Test
    void aJobIsClaimedAndCompletes() {
        ClaimResult claimed = claim();
        assertThat(rules.wrong(new Object[0], claimed)).isEmpty();

        List<Change> changes = completion(claimed);
        assertThat(rules.wrong(new Object[]{changes}, store.apply(changes))).isEmpty();
    }

    @Test
    void aJobHasAResultOnlyIfANodeHeldIt() {
        ClaimResult claimed = claim();
        store.apply(completion(claimed));

        assertThat(rules.wrong(new Object[0], claimed)).singleElement().asString()
                .endsWith("ended as COMPLETED while it was QUEUED");
    }

    @Test
    void aJobIsGoneOnlyIfItIsDeletedOnRequest() {
        AdminCommand.Delete delete = new AdminCommand.Delete(JOB, "operator", NOW);
        store.execute(delete);

        assertThat(rules.wrong(new Object[]{delete}, null)).singleElement().asString().endsWith("is gone");
    }

    @Test
    void aJobMayBeDeletedOnRequest() {
        stories.add(new Report(JOB, 0, "a", 1, new Report.Ordered(Order.DELETE)));
        AdminCommand.Delete delete = new AdminCommand.Delete(JOB, "operator", NOW);
        store.execute(delete);

        assertThat(rules.wrong(new Object[]{delete}, null)).isEmpty();
    }
}
