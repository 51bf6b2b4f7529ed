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
import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.run.Run;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Command;
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

/** Agents whose node ends, and who are paid for. */
class AdoptedAgentTest {

    @TempDir private Path home;

    private AgentBench bench(String... arguments) {
        return new AgentBench(home, 4, AgentBench.scripted(home, arguments));
    }

    /** Agents that go on to their end once they are let. */
    private Agent waiting() {
        return AgentBench.scripted(home, waits());
    }

    private String[] waits() {
        return new String[]{"--script-mode=wait", "--script-gate=" + gate().resolve("open")};
    }

    private Path gate() {
        return home.resolve("gate");
    }

    @BeforeEach
    void makeTheGate() throws IOException {
        Files.createDirectory(gate());
    }

    private void openTheGate() throws IOException {
        Files.createFile(gate().resolve("open"));
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    private static JobId submit(AgentBench bench, String prompt) {
        return bench.pool.submit(bench.agent.type(), AgentTask.of(prompt)).id();
    }

    private static Job ended(AgentBench bench, JobId id) {
        return await().until(() -> bench.pool.find(id).orElseThrow(), job -> job.state().isFinal());
    }

    private Path files(JobId id, int attempt) {
        return home.resolve("runs/" + id + "/" + attempt);
    }

    /** The job of an agent whose node was closed while it worked, as an upgrade does. */
    private JobId left(Agent agent) {
        try (AgentBench bench = new AgentBench(home, 4, agent)) {
            JobId id = submit(bench, "Count");
            await().until(() -> AgentBench.count(home, "start") == 1);
            return id;
        }
    }

    private List<ProcessHandle> processes(JobId id) throws IOException {
        ProcessHandle wrapper = ProcessHandle
                .of(Long.parseLong(Files.readString(files(id, 1).resolve("pid")).split(" ", -1)[0]))
                .orElseThrow();
        return Stream.concat(Stream.of(wrapper), wrapper.descendants()).toList();
    }

    @Test
    void isLeftAloneByClosingAndTakenOverUnderTheSameNumber() throws IOException {
        JobId id = left(waiting());
        assertThat(AgentBench.count(home, "end")).isZero();
        try (AgentBench bench = bench()) {
            openTheGate();
            Job job = ended(bench, id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(bench.pool.story(id).orElseThrow().attempts())
                    .extracting(Attempt::number, Attempt::node, Attempt::end)
                    .containsExactly(tuple(1, bench.pool.nodeId(), Attempt.End.COMPLETED));
            assertThat(bench.pool.story(id).orElseThrow().history()).isEmpty();
        }
        assertThat(AgentBench.count(home, "start")).isEqualTo(1);
        assertThat(AgentBench.count(home, "end")).isEqualTo(1);
    }

    @Test
    void thatEndedWhileNoNodeWasThereIsNotRunAgain() throws IOException {
        JobId id = left(waiting());
        openTheGate();
        await().until(() -> Files.exists(files(id, 1).resolve("exit")));
        try (AgentBench bench = bench()) {
            Job job = ended(bench, id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(job.counts().attempt()).isEqualTo(1);
        }
        assertThat(AgentBench.count(home, "start")).isEqualTo(1);
    }

    /** It is its own attempt that failed, and the next one is a retry like any other. */
    @Test
    void thatFailedWhileNoNodeWasThereFailsItsAttempt() throws IOException {
        JobId id = left(waiting());
        // They fail where nobody can open it any more.
        Files.delete(gate());
        await().until(() -> Files.exists(files(id, 1).resolve("exit")));
        try (AgentBench bench = bench(waits())) {
            Job job = ended(bench, id);
            assertThat(job.counts()).isEqualTo(new Job.Counts(3, 3, 0));
            assertThat(bench.pool.story(id).orElseThrow().attempts()).extracting(Attempt::end)
                    .containsOnly(Attempt.End.FAILED);
        }
        assertThat(AgentBench.count(home, "start")).isEqualTo(3);
    }

    @Test
    void endsWithItsNodeWhereItsTypeSaysSo() throws IOException {
        Agent agent = waiting().onNodeDeath(OnNodeDeath.KILL);
        JobId id = left(agent);
        openTheGate();
        try (AgentBench bench = new AgentBench(home, 4, agent)) {
            Job job = ended(bench, id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(bench.pool.story(id).orElseThrow().attempts()).extracting(Attempt::end)
                    .containsExactly(Attempt.End.RELEASED, Attempt.End.COMPLETED);
        }
        assertThat(AgentBench.count(home, "start")).isEqualTo(2);
        assertThat(AgentBench.count(home, "end")).isEqualTo(1);
    }

    /** Nothing is started twice, never are there more than workers, and what it cost is what the agents said. */
    @Test
    void outlivesAKilledNodeInTheWorktreeThatIsKeptForIt() throws Exception {
        int units = 6;
        GitRepo repo = GitRepo.at(home.resolve("repo"), 3);
        try (ChildJvm node = ChildJvm.start(AgentNode.class, Stream.concat(
                Stream.of(home.toString(), "4", Integer.toString(units), repo.path().toString()),
                Stream.of(waits())).toArray(String[]::new))) {
            node.awaitLine("open"::equals);
            await().until(() -> AgentBench.count(home, "start") == 4);
            node.kill();
        }
        try (AgentBench bench = new AgentBench(home, 4,
                AgentBench.inWorktrees(AgentBench.scripted(home), repo.path()))) {
            openTheGate();
            await().until(
                    () -> bench.pool.list(JobQuery.all()).stream().allMatch(job -> job.state().isFinal()));
            List<Job> jobs = bench.pool.list(JobQuery.all());
            assertThat(jobs).hasSize(units).extracting(Job::state).containsOnly(JobState.COMPLETED);
            assertThat(jobs).extracting(job -> job.counts().attempt(), job -> job.counts().crashes())
                    .containsOnly(tuple(1, 0));
            for (Job job : jobs) {
                Run run = bench.store.runs(job.id()).getLast();
                String ref = Objects.requireNonNull(run.work()).ref();
                assertThat(repo.git("show", ref + ":NOTES")).startsWith("Unit ");
            }
            assertThat(bench.store.spentSince(Instant.EPOCH).stream().map(Spend::usd).reduce(BigDecimal.ZERO,
                    BigDecimal::add)).isEqualByComparingTo("0.60");
        }
        assertThat(AgentBench.count(home, "start")).isEqualTo(units);
        assertThat(AgentBench.count(home, "end")).isEqualTo(units);
        assertThat(AgentBench.most(home)).isLessThanOrEqualTo(4);
        assertThat(repo.worktrees()).isEmpty();
    }

    @Test
    void endsOnceItsJobIsGone() throws IOException {
        JobId id = left(waiting());
        List<ProcessHandle> all = processes(id);
        assertThat(all).hasSizeGreaterThanOrEqualTo(2).allMatch(ProcessHandle::isAlive);
        try (SqliteStore store = SqliteStore.at(home.resolve("jobs.db"))) {
            store.execute(new Command.Cancel(id, "not needed", "ann", Instant.now()));
        }
        try (AgentBench bench = bench()) {
            assertThat(ended(bench, id).state()).isEqualTo(JobState.CANCELLED);
            assertThat(all).allMatch(ProcessHandle::isAlive);

            bench.agents.reap(bench.pool::find);

            await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(bench.workshop.leftRunning()).isEmpty();
            bench.agents.reap(bench.pool::find);
        }
    }

    @Test
    void isLeftAloneByWhoReapsWhileItsJobGoesOn() throws IOException {
        JobId id = left(waiting());
        List<ProcessHandle> all = processes(id);
        try (AgentBench bench = bench()) {
            bench.agents.reap(bench.pool::find);
            bench.agents.reap(_ -> bench.pool.find(id));
            assertThat(all.getFirst().isAlive()).isTrue();
            openTheGate();
            assertThat(ended(bench, id).state()).isEqualTo(JobState.COMPLETED);
        }
    }

    /** It was reserved and never started: nobody waits for it, and a wrapper that comes late starts nothing. */
    @Test
    void thatNeverCameToRunIsStartedByTheNextAttempt() throws IOException {
        JobId id = left(waiting());
        openTheGate();
        await().until(() -> Files.exists(files(id, 1).resolve("exit")));
        for (String file : List.of("exit", "pid", "events.jsonl")) {
            Files.delete(files(id, 1).resolve(file));
        }
        try (AgentBench bench = bench()) {
            Job job = ended(bench, id);
            assertThat(job.state()).isEqualTo(JobState.COMPLETED);
            assertThat(job.counts().attempt()).isEqualTo(2);
        }
        assertThat(files(id, 1).resolve("pid")).hasContent("0 0");
        assertThat(AgentBench.count(home, "start")).isEqualTo(2);
    }
}
