package dev.heddle.control.local;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.TestPool;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.job.JobState;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.run.Machine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Tries every way to a job that would run a command line or be taken for the node's own. */
class SubmissionGateTest {

    private static final String HERE = "@" + Machine.name();

    private final Pool pool = new TestPool().on(new MemoryStore()).open();
    private final LocalControl local = LocalControl.on(pool);
    private final LocalControl remote = local.admitting(SubmissionGate.remote(Set.of("deploy"), false));
    private final LocalControl allowed = local.admitting(SubmissionGate.remote(Set.of(), true));

    @AfterEach
    void close() {
        pool.close();
    }

    private static String submit(Control control, JobDraft draft) {
        return control.submit(List.of(draft)).jobs().getFirst().id();
    }

    private static String refusal(Runnable request) {
        ControlException refused = catchThrowableOfType(ControlException.class, request::run);
        assertThat(refused).isNotNull();
        assertThat(refused.kind()).isEqualTo(Kind.DENIED);
        return String.valueOf(refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "batch"})
    void acceptsCommandLinesFromThisMachineOnly(String base) {
        for (String type : List.of(base, base + HERE)) {
            JobDraft draft = JobDraft.of(type, null);
            submit(local, draft);
            submit(allowed, draft);
            assertThat(refusal(() -> submit(remote, draft))).isEqualTo("jobs of type '" + type
                    + "' run command lines and are accepted from this machine only;"
                    + " set server.allowRun to change that");
        }
        assertThat(refusal(() -> submit(remote, JobDraft.of("deploy", null)))).contains("'deploy'");
        submit(allowed, JobDraft.of("deploy", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run@host-a", "batch@host-a", "run@", "batch@"})
    void acceptsNoCommandLineForAnotherMachine(String type) {
        for (Control control : List.of(local, remote, allowed)) {
            assertThat(refusal(() -> submit(control, JobDraft.of(type, null)))).startsWith("jobs of type '" + type
                    + "' run command lines on the machine '").endsWith("' and are accepted there only");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heddle-x", "hook:x", "batch:docs", "build:onUnitFailed", "build:onUnitComplete"})
    void reservesTheTypesOfJobsThatANodeSubmitsItself(String type) {
        for (Control control : List.of(local, remote, allowed)) {
            assertThat(refusal(() -> submit(control, JobDraft.of(type, null)))).isEqualTo("type '" + type
                    + "' is reserved for jobs that a node submits itself; choose another name");
        }
    }

    @Test
    void reservesTheTagsOfANode() {
        for (String tag : List.of(BatchSpec.TAG, "heddle-x")) {
            assertThat(refusal(() -> submit(local, JobDraft.of("echo", null).tags(Set.of("a", tag)))))
                    .isEqualTo("tag '" + tag + "' is reserved, as are all that start with 'heddle-';"
                            + " choose another name");
        }
        assertThat(refusal(() -> submit(local, JobDraft.of("run", null).tags(Set.of(BatchSpec.TAG)))))
                .contains(BatchSpec.TAG);
        submit(local, JobDraft.of("batch", null).tags(Set.of(BatchSpec.TAG)));
    }

    @Test
    void acceptsNothingOfASubmissionWithOneSuchJob() {
        refusal(() -> remote.submit(List.of(JobDraft.of("echo", null), JobDraft.of("run", null))));
        assertThat(local.jobs(JobFilter.ALL).jobs()).isEmpty();
    }

    @Test
    void addsNoUnitToABatch() {
        String batch = submit(local, JobDraft.of("batch", null).tags(Set.of(BatchSpec.TAG)));
        for (Control control : List.of(local, remote)) {
            assertThat(refusal(() -> submit(control, JobDraft.of("echo", null).parent(batch))))
                    .isEqualTo("job " + batch + " is a batch, and only its node adds units to it;"
                            + " run more units with 'heddle batch run'");
        }
    }

    @Test
    void retriesCommandLinesOnlyForThoseWhoMaySubmitThem() {
        try (Pool node = new TestPool().on(new MemoryStore()).register(JobRequests.jsonType("run"), (payload, job) -> {
            throw new IllegalStateException("fails for the test");
        }).open()) {
            LocalControl here = LocalControl.on(node);
            LocalControl elsewhere = here.admitting(SubmissionGate.remote(Set.of(), false));
            String run = submit(here, JobDraft.of("run", null).maxRetries(0));
            String other = submit(here, JobDraft.of("fail", null).maxRetries(0));
            for (String id : List.of(run, other)) {
                assertThat(here.await(id, Duration.ofSeconds(30)).job().state()).isEqualTo(JobState.FAILED);
            }
            here.pauseQueue("default");

            refusal(() -> elsewhere.retry(run));
            refusal(() -> elsewhere.retryDead(JobFilter.ALL.type("run")));
            assertThat(elsewhere.retryDead(JobFilter.ALL).count()).isEqualTo(1);
            assertThat(here.job(other).job().state()).isEqualTo(JobState.QUEUED);
            assertThat(here.job(run).job().state()).isEqualTo(JobState.FAILED);
            assertThat(here.retryDead(JobFilter.ALL).count()).isEqualTo(1);
            assertThat(here.job(run).job().state()).isEqualTo(JobState.QUEUED);
        }
    }
}
