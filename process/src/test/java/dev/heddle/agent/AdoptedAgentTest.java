package dev.heddle.agent;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import dev.heddle.agent.Agent.OnNodeDeath;
import dev.heddle.budget.Spend;
import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobCaller;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.run.Run;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.worktree.GitRepo;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Agents that outlive their node: what was paid for must not be lost. */
class AdoptedAgentTest {

    @TempDir
    private Path home;

    private AgentFixture open(String... arguments) {
        return new AgentFixture(home, 4, AgentFixture.scripted(home, arguments));
    }

    /** Returns an agent that waits for the gate before it finishes. */
    private Agent waiting() {
        return AgentFixture.scripted(home, waits());
    }

    private String[] waits() {
        return new String[]{"--script-mode=wait", "--script-gate=" + gate().resolve("open")};
    }

    private Path gate() {
        return home.resolve("gate");
    }

    @BeforeEach
    void createTheGate() throws IOException {
        Files.createDirectory(gate());
    }

    private void openTheGate() throws IOException {
        Files.createFile(gate().resolve("open"));
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    private static JobId submit(AgentFixture fixture, String prompt) {
        return fixture.pool.submit(fixture.agent.type(), AgentTask.of(prompt)).id();
    }

    private static Job ended(AgentFixture fixture, JobId id) {
        return await().until(() -> fixture.pool.find(id).orElseThrow(), job -> job.state().isFinal());
    }

    private Path files(JobId id, int attempt) {
        return home.resolve("runs/" + id + "/" + attempt);
    }

    /** Submits a job and closes the node while the agent works, as an upgrade does. */
    private JobId closeWhileRunning(Agent agent) {
        try (AgentFixture fixture = new AgentFixture(home, 4, agent)) {
            JobId id = submit(fixture, "Count");
            await().until(() -> AgentFixture.count(home, "start") == 1);
            return id;
        }
    }

    @Test
    void reportsATimeoutThatPassedWithoutANode() {
        Agent hasty = waiting()
                .type(type -> type.timeout(Duration.ofSeconds(5)).retry(RetryPolicy.linear(0, Duration.ZERO)));
        JobId id = closeWhileRunning(hasty);
        await().until(() -> Files.exists(files(id, 1).resolve("exit")));
        try (AgentFixture fixture = new AgentFixture(home, 4, hasty)) {
            assertThat(ended(fixture, id).reason().orElseThrow()).contains("timed out after 5 s");
            assertThat(fixture.pool.admin().details(id).orElseThrow().attempts()).extracting(Attempt::end)
                    .containsExactly(Attempt.End.TIMED_OUT);
        }
    }

    @Test
    void keepsItsTokenWhenTheNextNodeTakesItOver() throws Exception {
        JobId id = closeWhileRunning(waiting());
        String token = token(id);

        try (AgentFixture fixture = new AgentFixture(home, 4, waiting())) {
            JobCaller caller = await().until(() -> fixture.tokens.find(token), Optional::isPresent).orElseThrow();
            assertThat(caller.job().id()).isEqualTo(id);
            assertThat(caller.job().attempt()).isEqualTo(1);
            openTheGate();
            assertThat(ended(fixture, id).state()).isEqualTo(JobState.COMPLETED);
            assertThat(fixture.tokens.find(token)).as("the attempt has ended").isEmpty();
            assertThat(fixture.tokens.find("")).isEmpty();
        }
    }

    /** Returns the token in the environment of the agent. */
    private String token(JobId id) throws IOException {
        long agent = processes(id).getLast().pid();
        return Stream.of(Files.readString(Path.of("/proc/" + agent + "/environ")).split("\0"))
                .filter(variable -> variable.startsWith("HEDDLE_JOB_TOKEN=")).findFirst().orElseThrow()
                .split("=", 2)[1];
    }

    private List<ProcessHandle> processes(JobId id) throws IOException {
        ProcessHandle wrapper = ProcessHandle
                .of(Long.parseLong(Files.readString(files(id, 1).resolve("pid")).split(" ", -1)[0])).orElseThrow();
        return Stream.concat(Stream.of(wrapper), wrapper.descendants()).toList();
    }

    @Test
    void survivesAClosingNodeAndIsTakenOverAsTheSameAttempt() throws IOException {
        JobId id = closeWhileRunning(waiting());
        assertThat(AgentFixture.count(home, "end")).isZero();
        try (AgentFixture fixture = open()) {
            openTheGate();
            Job job = ended(fixture, id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(fixture.pool.admin().details(id).orElseThrow().attempts())
                    .extracting(Attempt::number, Attempt::node, Attempt::end)
                    .containsExactly(tuple(1, fixture.pool.admin().nodeId(), Attempt.End.COMPLETED));
            assertThat(fixture.pool.admin().details(id).orElseThrow().history()).isEmpty();
        }
        assertThat(AgentFixture.count(home, "start")).isEqualTo(1);
        assertThat(AgentFixture.count(home, "end")).isEqualTo(1);
    }

    @Test
    void aRunThatEndedWithoutANodeIsNotRunAgain() throws IOException {
        JobId id = closeWhileRunning(waiting());
        openTheGate();
        await().until(() -> Files.exists(files(id, 1).resolve("exit")));
        try (AgentFixture fixture = open()) {
            Job job = ended(fixture, id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(job.counts().attempt()).isEqualTo(1);
        }
        assertThat(AgentFixture.count(home, "start")).isEqualTo(1);
    }

    /** The attempt that started the run fails, and the next one is an ordinary retry. */
    @Test
    void aRunThatFailedWithoutANodeFailsItsAttempt() throws IOException {
        JobId id = closeWhileRunning(waiting());
        // The agents fail once the gate can never open.
        Files.delete(gate());
        await().until(() -> Files.exists(files(id, 1).resolve("exit")));
        try (AgentFixture fixture = open(waits())) {
            Job job = ended(fixture, id);
            assertThat(job.counts()).isEqualTo(new Job.Counts(3, 3, 0));
            assertThat(fixture.pool.admin().details(id).orElseThrow().attempts()).extracting(Attempt::end)
                    .containsOnly(Attempt.End.FAILED);
        }
        assertThat(AgentFixture.count(home, "start")).isEqualTo(3);
    }

    @Test
    void endsWithItsNodeIfItsTypeSaysSo() throws IOException {
        Agent agent = waiting().onNodeDeath(OnNodeDeath.KILL);
        JobId id = closeWhileRunning(agent);
        openTheGate();
        try (AgentFixture fixture = new AgentFixture(home, 4, agent)) {
            Job job = ended(fixture, id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(fixture.pool.admin().details(id).orElseThrow().attempts()).extracting(Attempt::end)
                    .containsExactly(Attempt.End.RELEASED, Attempt.End.COMPLETED);
        }
        assertThat(AgentFixture.count(home, "start")).isEqualTo(2);
        assertThat(AgentFixture.count(home, "end")).isEqualTo(1);
    }

    /** Nothing starts twice, no more agents run than there are workers, and the cost is what the agents reported. */
    @Test
    void keepsItsWorktreeWhenItsNodeIsKilled() throws Exception {
        int units = 6;
        GitRepo repo = GitRepo.at(home.resolve("repo"), 3);
        try (ChildJvm node = ChildJvm.start(AgentNode.class,
                Stream.concat(Stream.of(home.toString(), "4", Integer.toString(units), repo.path().toString()),
                        Stream.of(waits())).toArray(String[]::new))) {
            node.awaitLine("open"::equals);
            await().until(() -> AgentFixture.count(home, "start") == 4);
            node.kill();
        }
        try (AgentFixture fixture = new AgentFixture(home, 4,
                AgentFixture.inWorktrees(AgentFixture.scripted(home), repo.path()))) {
            openTheGate();
            await().until(
                    () -> fixture.pool.admin().list(JobQuery.all()).stream().allMatch(job -> job.state().isFinal()));
            List<Job> jobs = fixture.pool.admin().list(JobQuery.all());
            assertThat(jobs).hasSize(units).extracting(Job::state).containsOnly(JobState.COMPLETED);
            assertThat(jobs).extracting(job -> job.counts().attempt(), job -> job.counts().crashes())
                    .containsOnly(tuple(1, 0));
            for (Job job : jobs) {
                Run run = fixture.store.runs(job.id()).getLast();
                String ref = Objects.requireNonNull(run.work()).ref();
                assertThat(repo.git("show", ref + ":NOTES")).startsWith("Unit ");
            }
            assertThat(fixture.store.spentSince(Instant.EPOCH).stream().map(Spend::usd).reduce(BigDecimal.ZERO,
                    BigDecimal::add)).isEqualByComparingTo("0.60");
        }
        assertThat(AgentFixture.count(home, "start")).isEqualTo(units);
        assertThat(AgentFixture.count(home, "end")).isEqualTo(units);
        assertThat(AgentFixture.maxConcurrent(home)).isLessThanOrEqualTo(4);
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void anOrphanIsStoppedOnceItsJobHasEnded() throws IOException {
        JobId id = closeWhileRunning(waiting());
        List<ProcessHandle> all = processes(id);
        assertThat(all).hasSizeGreaterThanOrEqualTo(2).allMatch(ProcessHandle::isAlive);
        try (SqliteStore store = SqliteStore.at(home.resolve("jobs.db"))) {
            store.execute(new AdminCommand.Cancel(id, "not needed", "ann", Instant.now()));
        }
        try (AgentFixture fixture = open()) {
            assertThat(ended(fixture, id).state()).isEqualTo(JobState.CANCELLED);
            assertThat(all).allMatch(ProcessHandle::isAlive);

            fixture.agents.stopOrphans(fixture.pool::find);

            await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(fixture.commands.detachedRuns()).isEmpty();
            fixture.agents.stopOrphans(fixture.pool::find);
        }
    }

    @Test
    void aRunWhoseJobIsActiveIsNotAnOrphan() throws IOException {
        JobId id = closeWhileRunning(waiting());
        List<ProcessHandle> all = processes(id);
        try (AgentFixture fixture = open()) {
            fixture.agents.stopOrphans(fixture.pool::find);
            fixture.agents.stopOrphans(_ -> fixture.pool.find(id));
            assertThat(all.getFirst().isAlive()).isTrue();
            openTheGate();
            assertThat(ended(fixture, id).state()).isEqualTo(JobState.COMPLETED);
        }
    }

    /** The run was reserved but never started. Nobody waits for it, and a wrapper that is late starts nothing. */
    @Test
    void aRunThatNeverStartedIsStartedByTheNextAttempt() throws IOException {
        JobId id = closeWhileRunning(waiting());
        openTheGate();
        await().until(() -> Files.exists(files(id, 1).resolve("exit")));
        for (String file : List.of("exit", "pid", "events.jsonl")) {
            Files.delete(files(id, 1).resolve(file));
        }
        try (AgentFixture fixture = open()) {
            Job job = ended(fixture, id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(job.counts().attempt()).isEqualTo(2);
        }
        assertThat(files(id, 1).resolve("pid")).hasContent("0 0");
        assertThat(AgentFixture.count(home, "start")).isEqualTo(2);
    }
}
