package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.pool.JobHandle;
import dev.heddle.run.Run;
import dev.heddle.worktree.GitRepo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A person lets an agent go on with a comment. */
class ContinuedAgentTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path directory;
    private Path home;
    private GitRepo repo;

    @BeforeEach
    void create() throws IOException {
        directory = directory.toRealPath();
        home = Files.createDirectory(directory.resolve("home"));
        repo = GitRepo.at(directory.resolve("app"), 1);
    }

    private static AgentTask continued(Run run, String place, @Nullable String ref) {
        ObjectNode payload = JsonMapper.shared().createObjectNode().put("prompt", "Count");
        payload.putObject("continues").put("job", run.job().toString()).put("attempt", run.attempt())
                .put("place", place).put("session", Objects.requireNonNull(run.usage()).session()).put("ref", ref)
                .put("comment", "Now add a test.");
        return new AgentTask(payload);
    }

    private Run firstRun(AgentFixture node) throws Exception {
        JobHandle<AgentReport> first = node.pool.submit(node.agent.type(), AgentTask.of("Count"));
        first.await(LONG);
        return node.store.runs(first.id()).getLast();
    }

    private Job failed(AgentFixture node, AgentTask task) {
        JobHandle<AgentReport> handle = node.pool.submit(node.agent.type(), task);
        return await().until(() -> node.pool.find(handle.id()).orElseThrow(), job -> job.state() == JobState.FAILED);
    }

    @Test
    void resumesTheSessionInAWorktreeWithTheEarlierWork() throws Exception {
        Agent agent = AgentFixture.inWorktrees(AgentFixture.scripted(home), repo.path());
        try (AgentFixture node = new AgentFixture(home, 1, agent)) {
            Run first = firstRun(node);
            String ref = Objects.requireNonNull(first.work()).ref();

            JobHandle<AgentReport> next = node.pool.submit(agent.type(), continued(first, first.place(), ref));

            AgentReport report = Objects.requireNonNull(next.await(LONG));
            assertThat(report.session()).isEqualTo(Objects.requireNonNull(first.usage()).session());
            assertThat(home.resolve("runs/" + next.id() + "/1/prompt.txt")).hasContent("Now add a test.");
            Run.Work work = Objects.requireNonNull(node.store.runs(next.id()).getLast().work());
            assertThat(work.base()).as("goes on from the work of the first job").isEqualTo(repo.git("rev-parse", ref));
        }
    }

    @Test
    void saysWhyItCannotContinueOnAnotherMachine() throws Exception {
        try (AgentFixture node = new AgentFixture(home, 1, AgentFixture.scripted(home))) {
            Run first = firstRun(node);
            Job job = failed(node, continued(first, "moon:/home/.heddle", null));
            assertThat(job.counts().attempt()).isEqualTo(1);
            assertThat(job.reason().orElseThrow()).contains("is stored on the machine 'moon'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"refs/heads/main", "--force", "refs/tags/v1"})
    void baseTheWorkOnSavedWorkOnly(String ref) throws Exception {
        try (AgentFixture node = new AgentFixture(home, 1, AgentFixture.scripted(home))) {
            Run first = firstRun(node);
            assertThat(failed(node, continued(first, first.place(), ref)).reason().orElseThrow())
                    .contains("the field 'continues' of the payload is invalid");
        }
    }

    @Test
    void saysThatAnAgentCannotResumeSessions() {
        Agent plain = Agent.of("agent", "text").program("cat").directory(home);
        try (AgentFixture node = new AgentFixture(home, 1, plain)) {
            AgentTask task = AgentTask.of("Go on").session("s-1");
            assertThat(failed(node, task).reason().orElseThrow()).contains("agent 'text' cannot resume a session");
        }
    }
}
