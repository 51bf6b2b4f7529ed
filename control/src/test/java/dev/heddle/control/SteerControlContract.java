package dev.heddle.control;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.ContinueDraft;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.LimitDraft;
import dev.heddle.control.model.NodeDetail;
import dev.heddle.control.model.NodeView;
import dev.heddle.control.model.ResubmitDraft;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** How a {@link Control} repeats and continues work: from a step, with another payload, with a comment. */
abstract class SteerControlContract extends QueryControlContract {

    private static final String PLACE = "elsewhere:/home/.heddle";

    private static String only(SubmitResult result) {
        assertThat(result.jobs()).hasSize(1);
        assertThat(result.jobs().getFirst().duplicate()).isFalse();
        return result.jobs().getFirst().id();
    }

    private String ended(JobDraft draft) {
        String id = submit(draft);
        control.await(id, LONG);
        return id;
    }

    private JobDetail retriedFrom(String id, @Nullable String step, boolean forgetCheckpoint) {
        assertThat(control.retry(id, step, forgetCheckpoint).id()).isEqualTo(id);
        return control.await(id, LONG);
    }

    @Test
    void retriesADeadLetterFromAStep() {
        String id = ended(JobDraft.of("steps", null));
        assertThat(control.job(id).steps()).isEqualTo(Map.of("fetch", json("1"), "charge", json("1")));

        assertThat(assertRefused(Kind.INVALID, () -> control.retry(id, "charged", false)))
                .hasMessageContaining("no saved step 'charged'; it has saved: fetch, charge");
        assertThat(control.job(id).job().state()).isEqualTo(JobState.FAILED);

        JobDetail again = retriedFrom(id, "charge", false);
        assertThat(again.steps()).isEqualTo(Map.of("fetch", json("1"), "charge", json("2")));
        assertThat(again.checkpoint()).isEqualTo(json("\"first\""));
        assertThat(again.history()).extracting(entry -> entry.reason())
                .contains("retried by hand from step 'charge'");
        assertThat(retriedFrom(id, "fetch", true).steps()).isEqualTo(Map.of("fetch", json("3"), "charge", json("3")));
        assertThat(control.job(id).checkpoint()).isNull();
        assertThat(retriedFrom(id, null, false).steps()).isEqualTo(Map.of("fetch", json("3"), "charge", json("3")));
    }

    @Test
    void submitsAJobAgainWithAnotherPayload() {
        control.setLimit(new LimitDraft("customer", "echo", null, null, "$.customer", 5, null, null, null, null));
        control.setLimit(new LimitDraft("region", null, null, null, null, 5, null, null, null, null));
        String id = ended(JobDraft.of("echo", json("{\"customer\": \"ann\"}")).queue("night").priority(7)
                .tags(Set.of("blue")).subject("order 1").maxRetries(3).headers(Map.of("tenant", "a"))
                .dedupeKey("once").limitKeys(Map.of("region", "north")));

        String again = only(control.resubmit(id, new ResubmitDraft(json("{\"customer\": \"bob\"}"), null)));
        JobDetail detail = control.await(again, LONG);
        JobView job = detail.job();
        assertThat(again).isNotEqualTo(id);
        assertThat(detail.payload()).isEqualTo(json("{\"customer\": \"bob\"}"));
        assertThat(job.type()).isEqualTo("echo");
        assertThat(job.queue()).isEqualTo("night");
        assertThat(job.priority()).isEqualTo(7);
        assertThat(job.tags()).containsExactly("blue");
        assertThat(job.subject()).isEqualTo("order 1");
        assertThat(job.maxRetries()).isEqualTo(3);
        assertThat(job.dedupeKey()).isNull();
        assertThat(job.headers()).isEqualTo(Map.of("tenant", "a", "heddle-resubmitted-from", id));
        assertThat(pool.find(JobId.of(again)).orElseThrow().spec().limits()).extracting(key -> key.limit() + key.key())
                .containsExactly("customerbob", "regionnorth");

        String third = only(control.resubmit(again, new ResubmitDraft(null, null)));
        assertThat(control.await(third, LONG).payload()).isEqualTo(json("{\"customer\": \"bob\"}"));
        assertThat(control.job(third).job().headers()).containsEntry("heddle-resubmitted-from", again);
    }

    @Test
    void submitsAJobAgainOnceIfTheRequestIsRepeated() {
        String id = ended(JobDraft.of("echo", json("{}")));
        ResubmitDraft draft = new ResubmitDraft(null, JobId.next().toString());
        assertThat(only(control.resubmit(id, draft))).isEqualTo(draft.id());
        assertThat(control.resubmit(id, draft).jobs().getFirst().duplicate()).isTrue();
    }

    private String agentJob(@Nullable String session) {
        String id = ended(JobDraft.of("fail", json("{\"prompt\": \"Count\", \"session\": \"s-0\"}")).tags(Set.of("t")));
        Run run = new Run(JobId.of(id), 1, PLACE, 0, new Run.Work("/src/app", "abc", "refs/heddle/" + id + "/1"),
                List.of(), false, new Run.Usage("claude", "sonnet", session, 12, null, false));
        pool.admin().capability(RunArchive.class).orElseThrow().save(run, RunArchive.Output.EMPTY);
        return id;
    }

    @Test
    void continuesTheWorkOfAnAgent() {
        String id = agentJob("s-1");
        String next = only(control.continueAgent(id, new ContinueDraft("Now add a test.", null)));
        JsonNode payload = control.job(next).payload();
        assertThat(payload).isEqualTo(json("""
                {"prompt": "Count", "continues": {"job": "%s", "attempt": 1, "place": "%s", "session": "s-1",
                 "ref": "refs/heddle/%s/1", "comment": "Now add a test."}}""".formatted(id, PLACE, id)));
        assertThat(control.job(next).job().headers()).containsEntry("heddle-continues", id);
        assertThat(control.job(next).job().tags()).containsExactly("t");
    }

    @Test
    void continuesOnlyWhatCanBeContinued() {
        ContinueDraft draft = new ContinueDraft("Go on.", null);
        String plain = ended(JobDraft.of("echo", json("{}")));
        assertThat(assertRefused(Kind.CONFLICT, () -> control.continueAgent(plain, draft)))
                .hasMessageContaining("no agent ran");
        assertThat(assertRefused(Kind.CONFLICT, () -> control.continueAgent(agentJob(null), draft)))
                .hasMessageContaining("its agent 'claude' has named no session");
        assertThat(assertRefused(Kind.CONFLICT, () -> control.continueAgent(submit(IDLE), draft)))
                .hasMessageContaining("wait for its end");
        assertRefused(Kind.INVALID, () -> control.continueAgent(agentJob("s-1"), new ContinueDraft(" ", null)));
    }

    @Test
    void saysWhereTheChangesOfAJobAre() {
        String plain = ended(JobDraft.of("echo", json("{}")));
        assertThat(assertRefused(Kind.NOT_FOUND, () -> control.diff(plain, null)))
                .hasMessageContaining("has changed nothing in a worktree");
        String id = agentJob("s-1");
        assertThat(assertRefused(Kind.NOT_FOUND, () -> control.diff(id, null)))
                .hasMessageContaining("are stored at " + PLACE);
        assertThat(assertRefused(Kind.NOT_FOUND, () -> control.diff(id, 2)))
                .hasMessageContaining("attempts with changes: 1");
    }

    @Test
    void saysWhatANodeIsAndHowItIsConfigured() {
        NodeView listed = control.nodes().getFirst();
        assertThat(listed.version()).isNotBlank().doesNotContain("$");
        assertThat(listed.java()).isEqualTo(Runtime.version().toString());
        assertThat(listed.startedAt()).isNotNull();
        assertThat(listed.configuration()).hasSize(8);

        NodeDetail detail = control.node(listed.id());
        assertThat(detail.node().configuration()).isEqualTo(listed.configuration());
        assertThat(detail.settings()).containsEntry("pool: workers", "2").containsEntry("queue small: capacity", "2")
                .containsEntry("type echo", "has a handler").containsEntry("type echo: affinity", "strict_queue");
        assertThat(control.node(listed.id().substring(0, listed.id().length() - 1)).node().id()).isEqualTo(listed.id());
        assertRefused(Kind.NOT_FOUND, () -> control.node("no-such-node"));
        assertThat(control.nodeDifferences()).as("there is only one node").isEmpty();
    }
}
