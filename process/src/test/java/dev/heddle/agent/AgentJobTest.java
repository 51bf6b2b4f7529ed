package dev.heddle.agent;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import dev.heddle.agent.Agent.OnNodeDeath;
import dev.heddle.budget.Spend;
import dev.heddle.conversation.Cost;
import dev.heddle.conversation.Prices;
import dev.heddle.conversation.TextView;
import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Sandbox;
import dev.heddle.testkit.ManualClock;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

class AgentJobTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private AgentFixture open(String... arguments) {
        return new AgentFixture(home, 4, AgentFixture.scripted(home, arguments));
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(20));
    }

    private static JobHandle<AgentReport> submit(AgentFixture node, String prompt) {
        return node.pool.submit(node.agent.type(), AgentTask.of(prompt));
    }

    private static Job ended(AgentFixture node, JobId id) {
        return await().until(() -> node.pool.find(id).orElseThrow(), job -> job.state().isFinal());
    }

    private Path files(JobId id, int attempt) {
        return home.resolve("runs/" + id + "/" + attempt);
    }

    @ParameterizedTest
    @EnumSource
    void storesTheConversationAndTheCostOfARun(OnNodeDeath policy) throws Exception {
        try (AgentFixture node = new AgentFixture(home, 1,
                AgentFixture.scripted(home, "--script-cost=0.25").onNodeDeath(policy))) {
            JobHandle<AgentReport> handle = submit(node, "Count the files");
            AgentReport report = Objects.requireNonNull(handle.await(LONG));
            assertThat(report.text()).isEqualTo("Done: Count the files");
            assertThat(report.cost()).isEqualTo(new Cost(new BigDecimal("0.25"), Cost.Basis.REPORTED, null));
            assertThat(report.session()).matches("[0-9a-f-]{36}");
            assertThat(report.tokens().total()).isEqualTo(3 * 1070);
            assertThat(report.exitCode()).isZero();
            Path files = files(handle.id(), 1);
            assertThat(files.resolve("prompt.txt")).hasContent("Count the files");
            assertThat(files.resolve("events.jsonl")).doesNotExist();
            Transcript transcript = new Transcript(files.resolve("events.jsonl"));
            assertThat(transcript.isCompressed()).isTrue();
            AgentRun run = new AgentArchive(home).runs(handle.id()).getFirst();
            StringBuilder shown = new StringBuilder();
            new TranscriptTail(transcript, new ClaudeAdapter().parser()).drain(new TextView(shown::append)::add);
            assertThat(shown.toString()).contains("Bash {\"command\":\"step 3\"}", "step 3 is done",
                    "done (success) $0.25");
            assertThat(run.conversation(Prices.NONE).totals().cost()).isEqualTo(report.cost());
            assertThat(run.report()).contains(report);
            assertThat(node.store.search("step done count files", 10)).containsExactly(handle.id());
            assertThat(node.store.spentSince(Instant.EPOCH))
                    .extracting(Spend::job, Spend::attempt, Spend::usd, Spend::tokens)
                    .containsExactly(tuple(handle.id(), 1, new BigDecimal("0.25"), 3210L));
        }
    }

    @Test
    void aResultCountsEvenIfTheAgentHangsAfterIt() throws Exception {
        Agent impatient = AgentFixture.scripted(home)
                .endRules(new EndRules(Duration.ofMillis(300), AgentFixture.PATIENCE));
        try (AgentFixture node = new AgentFixture(home, 4, impatient)) {
            AgentReport report = Objects.requireNonNull(submit(node, "Count\nmode: hang\n").await(LONG));
            assertThat(report.text()).startsWith("Done:");
            assertThat(report.cost()).isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsATimeout(OnNodeDeath policy) {
        Agent hasty = AgentFixture.scripted(home).onNodeDeath(policy)
                .type(type -> type.timeout(Duration.ofMillis(1_900)).retry(RetryPolicy.linear(0, Duration.ZERO)));
        try (AgentFixture node = new AgentFixture(home, 1, hasty)) {
            JobId id = submit(node, "mode: silent").id();
            assertThat(ended(node, id).reason().orElseThrow()).contains("timed out after ");
            assertThat(node.pool.admin().details(id).orElseThrow().attempts()).extracting(Attempt::end)
                    .containsExactly(Attempt.End.TIMED_OUT);
        }
    }

    @Test
    void hasTenMinutesByDefault() {
        assertThat(Agent.of("review", "claude").type().timeout()).contains(Duration.ofMinutes(10));
    }

    @Test
    void aStalledAgentResumesItsSession() throws Exception {
        ManualClock clock = new ManualClock(Instant.now());
        try (AgentFixture node = new AgentFixture(home, 4, AgentFixture.scripted(home), clock)) {
            JobHandle<AgentReport> handle = submit(node, "Count\nmode: silent\n");
            // These are its last words. Once they are in the log, the agent is silent.
            await().ignoreExceptions().until(
                    () -> Files.readString(files(handle.id(), 1).resolve("stdout.log")).contains("step 1 is done"));
            clock.jump(Duration.ofHours(-1));
            clock.advance(AgentFixture.PATIENCE);
            AgentReport report = Objects.requireNonNull(handle.await(LONG));
            assertThat(report.attempt()).isEqualTo(2);
            assertThat(files(handle.id(), 2).resolve("prompt.txt"))
                    .hasContent("You were interrupted. Continue with your task, which was:\n\nCount\nmode: silent\n");
            assertThat(Files.readString(files(handle.id(), 1).resolve("report.json"))).contains("\"STALLED\"",
                    String.valueOf(report.session()));
            assertThat(AgentFixture.ledgerLines(home)).extracting(line -> line.split(" ", -1)[0])
                    .containsOnly(report.session());
        }
    }

    @Test
    void failsWithTheMessageThatTheAgentReported() {
        try (AgentFixture node = open()) {
            Job failed = ended(node, submit(node, "Count\nmode: fail\n").id());
            assertThat(failed.state()).isEqualTo(JobState.FAILED);
            assertThat(failed.counts().attempt()).isEqualTo(3);
            assertThat(failed.failure().orElseThrow().message())
                    .isEqualTo("claude failed (error_during_execution): the task cannot be done");
            assertThat(node.store.spentSince(Instant.EPOCH)).hasSize(3);
            assertThat(ended(node, submit(node, "Count\nmode: no-result\n").id()).failure().orElseThrow().message())
                    .contains("exited with 0 but reported no result");
        }
    }

    @Test
    void cancellingStopsTheAgent() throws IOException {
        try (AgentFixture node = open("--script-pause=300")) {
            JobId id = submit(node, "Count").id();
            Path pid = files(id, 1).resolve("pid");
            await().until(() -> Files.exists(pid) && AgentFixture.count(home, "start") == 1);
            ProcessHandle wrapper = ProcessHandle.of(Long.parseLong(Files.readString(pid).split(" ", -1)[0]))
                    .orElseThrow();
            List<ProcessHandle> all = Stream.concat(Stream.of(wrapper), wrapper.descendants()).toList();
            assertThat(all).hasSizeGreaterThanOrEqualTo(2);
            node.pool.admin().cancel(id, "enough");
            await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(ended(node, id).state()).isEqualTo(JobState.CANCELLED);
            await().until(() -> Files.exists(files(id, 1).resolve("report.json")));
        }
    }

    @Test
    void detectsAMissingProgramBeforeAnythingStarts() {
        assertThatThrownBy(() -> new AgentFixture(home, 1, Agent.of("review", "claude").program("no-such-agent")))
                .isInstanceOfSatisfying(LaunchException.class, e -> assertThat(e.kind().exitCode()).isEqualTo(3))
                .hasMessageContaining("no-such-agent");
        assertThatThrownBy(() -> Agent.of("review", "clod"))
                .hasMessageStartingWith("unknown agent 'clod'; available: claude, codex, gemini, text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-c", "--dangerously-skip-permissions", "a b", "a\nb", "../../x", "=x"})
    void refusesASessionThatIsNotAnId(String session) {
        try (AgentFixture node = open()) {
            JobHandle<AgentReport> handle = node.pool.submit(node.agent.type(),
                    AgentTask.of("Continue").session(session));
            Job job = ended(node, handle.id());
            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.counts().attempt()).isEqualTo(1);
            assertThat(job.failure().orElseThrow().message()).contains("is not the id of a session");
            assertThat(AgentFixture.ledgerLines(home)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void worksInASandbox(OnNodeDeath policy) throws Exception {
        Path python = Path.of(System.getProperty("user.home"), ".pyenv"); // where it is on some machines
        Sandbox sandbox = Sandbox.standard().network(false)
                .read(List.of(Path.of("../examples/agents").toRealPath(), python));
        try (AgentFixture node = new AgentFixture(home, 1, AgentFixture.scripted(home).onNodeDeath(policy)
                .workspace(spec -> spec.sandbox(sandbox)))) {
            AgentReport report = Objects.requireNonNull(submit(node, "Count the files").await(LONG));
            assertThat(report.text()).isEqualTo("Done: Count the files");
        }
    }
}
