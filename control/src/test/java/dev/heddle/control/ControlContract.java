package dev.heddle.control;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.heddle.access.Role;
import dev.heddle.budget.BudgetStatus;
import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendStore;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.local.BatchSpec;
import dev.heddle.control.local.ReservedNames;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.BatchView;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.BudgetView;
import dev.heddle.control.model.DeadLetterPage;
import dev.heddle.control.model.DeadLetterView;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.JobWhy;
import dev.heddle.control.model.LimitDraft;
import dev.heddle.control.model.LimitView;
import dev.heddle.control.model.LogChunk;
import dev.heddle.control.model.NewTokenView;
import dev.heddle.control.model.OutputChunk;
import dev.heddle.control.model.OutputQuery;
import dev.heddle.control.model.Stats;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.model.UnitView;
import dev.heddle.control.model.WaitKind;
import dev.heddle.control.model.WaitReasonView;
import dev.heddle.control.model.WorkerDetail;
import dev.heddle.control.model.WorkerView;
import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.PoolStats;
import dev.heddle.run.Machine;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.search.TextIndex;
import dev.heddle.worker.WorkerState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The contract of every {@link Control}, local or remote, on any store. */
public abstract class ControlContract extends LogControlContract {

    @Test
    void listsAndDropsSessions() {
        String id = submit(JobDraft.of("echo", json("{}")).session("ada / ü"));
        control.await(id, LONG);
        assertThat(control.sessions()).singleElement().satisfies(session -> {
            assertThat(session.session()).isEqualTo("ada / ü");
            assertThat(session.type()).isEqualTo("echo");
            assertThat(session.worker()).startsWith(session.node());
            assertThat(session.strict()).isTrue();
        });
        assertThat(control.dropSession("ada / ü").count()).isEqualTo(1);
        assertThat(assertRefused(Kind.NOT_FOUND, () -> control.dropSession("ada / ü")))
                .hasMessageContaining("no session");
        assertRefused(Kind.INVALID, () -> control.dropSession("a\u0007b"));
    }

    @Test
    void createsListsAndRevokesTokens() {
        NewTokenView created = control.createToken(new TokenDraft("ci / ü", "Operator", Duration.ofDays(90)));
        assertThat(created.secret()).startsWith("heddle_").startsWith(created.token().hint());
        assertThat(created.token().role()).isEqualTo(Role.OPERATOR);
        assertThat(created.token().expired()).isFalse();
        assertThat(created.token().createdBy()).isEqualTo(control.caller().actor());
        assertThat(control.tokens()).containsExactly(created.token());
        assertRefused(Kind.CONFLICT, () -> control.createToken(new TokenDraft("ci / ü", "viewer", null)));
        assertThat(control.revokeToken("ci / ü")).isEqualTo(created.token());
        assertRefused(Kind.NOT_FOUND, () -> control.revokeToken("ci / ü"));
        assertThat(control.tokens()).isEmpty();
        assertThat(control.caller().role()).isEqualTo(Role.ADMIN);
    }

    @Test
    void shortensIdsToWhatNoOtherJobStartsWith() {
        String alone = submit(JobDraft.of("idle", json("{}")).id("01a00000-0001-7000-8000-000000000001"));
        List<String> together = List.of("01a00000-0002-7001-8000-000000000001", "01a00000-0002-7002-8000-000000000001",
                "01a00000-0002-7003-8aaa-000000000001", "01a00000-0002-7003-8bbb-000000000001",
                "01a00000-0002-7004-8aaa-000000000001", "01a00000-0002-7004-8aaa-000000000002");
        together.forEach(id -> submit(JobDraft.of("idle", json("{}")).id(id)));

        assertThat(control.shortIds(List.of(alone, together.getFirst()))).containsExactly(
                Map.entry(alone, "01a00000-0001"), Map.entry(together.getFirst(), "01a00000-0002-7001"));
        assertThat(control.shortIds(together).values()).containsExactly("01a00000-0002-7001", "01a00000-0002-7002",
                "01a00000-0002-7003-8aaa", "01a00000-0002-7003-8bbb", together.get(4), together.get(5));
        control.shortIds(together).forEach((id, shown) -> assertThat(control.job(shown).job().id()).isEqualTo(id));
        assertRefused(Kind.INVALID, () -> control.shortIds(List.of("01a0")));
        assertRefused(Kind.INVALID, () -> control.shortIds(List.of()));
    }

    @Test
    void explainsWhyAJobDoesNotRun() {
        String held = submit(JobDraft.of(IDLE, null).queue("mail"));
        JobWhy why = control.why(held.substring(0, held.length() - 1));
        assertThat(why.job()).isEqualTo(held);
        assertThat(why.type()).isEqualTo(IDLE);
        assertThat(why.queue()).isEqualTo("mail");
        assertThat(why.state()).isEqualTo(JobState.QUEUED);
        assertThat(why.reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.kind()).isEqualTo(WaitKind.NO_HANDLER);
            assertThat(reason.text()).startsWith("No node has a handler for type '" + IDLE + "'; node ");
            assertThat(reason.types()).containsKey(pool.admin().nodeId());
        });
        control.pauseQueue("mail");
        assertThat(control.why(held).reasons()).extracting(WaitReasonView::kind)
                .containsExactly(WaitKind.QUEUE_PAUSED, WaitKind.NO_HANDLER);
        assertThat(control.why(submitRunning()).reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.kind()).isEqualTo(WaitKind.RUNNING);
            assertThat(reason.nodes()).containsExactly(pool.admin().nodeId());
        });
        assertRefused(Kind.NOT_FOUND, () -> control.why("00000000-0000-7000-8000-000000000000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail", "a/b", "..", "%2e%2e", "ä ö?x=1&y#z;c", "'; DROP TABLE job; --"})
    void pausesAndResumesAQueueOfAnyName(String queue) {
        submit(JobDraft.of(IDLE, null).queue(queue));

        assertThat(control.pauseQueue(queue).paused()).isTrue();
        assertThat(control.queues()).singleElement().satisfies(view -> {
            assertThat(view.name()).isEqualTo(queue);
            assertThat(view.paused()).isTrue();
            assertThat(view.jobs()).containsEntry(JobState.QUEUED, 1L).hasSize(1);
        });
        assertThat(control.stats().pausedQueues()).containsExactly(queue);
        assertThat(control.resumeQueue(queue).paused()).isFalse();
        assertRefused(Kind.INVALID, () -> control.pauseQueue(""));
    }

    @Test
    void listsNodesAndWorkers() {
        String runs = submitRunning();

        assertThat(control.nodes()).singleElement().satisfies(node -> {
            assertThat(node.id()).isEqualTo(pool.admin().nodeId());
            assertThat(node.self()).isTrue();
            assertThat(node.alive()).isTrue();
            assertThat(node.workers()).isEqualTo(2);
            assertThat(node.busy()).isEqualTo(1);
        });
        WorkerView busy = control.workers().stream().filter(worker -> worker.state() == WorkerState.BUSY).findFirst()
                .orElseThrow();
        assertThat(busy.job()).isEqualTo(runs);
        assertThat(busy.node()).isEqualTo(pool.admin().nodeId());
        WorkerDetail detail = control.worker(busy.id());
        assertThat(detail.worker().id()).isEqualTo(busy.id());
        assertThat(detail.history()).first().satisfies(change -> {
            assertThat(change.to()).isEqualTo(WorkerState.BUSY);
            assertThat(change.metadata()).containsEntry("job", runs);
        });
        assertThat(control.worker("default-1").worker().id()).endsWith("/default-1");
        assertRefused(Kind.AMBIGUOUS, () -> control.worker(pool.admin().nodeId()));
        assertRefused(Kind.NOT_FOUND, () -> control.worker("nobody"));
    }

    @Test
    void listsRetriesAndPurgesDeadLetters() {
        String first = submitDeadLetter();
        String second = submitDeadLetter();
        String third = submitDeadLetter();

        DeadLetterPage page = control.deadLetters(JobFilter.ALL.limit(2));
        assertThat(page.deadLetters()).extracting(dead -> dead.job().id()).containsExactly(third, second);
        assertThat(control.deadLetters(JobFilter.ALL.limit(2).cursor(page.next())).deadLetters())
                .extracting(dead -> dead.job().id()).containsExactly(first);
        DeadLetterView letter = control.deadLetter(first);
        assertThat(letter.reason()).contains("permanent for the test");
        assertThat(letter.attempts()).isEqualTo(1);
        assertThat(letter.failure()).isNotNull();
        assertThat(control.retry(first).id()).isEqualTo(first);
        assertThat(control.await(first, LONG).attempts()).hasSize(2);
        assertThat(control.purgeDead(JobFilter.ALL.type("nothing"))).isEqualTo(new AffectedCount(0));
        assertThat(control.retryDead(JobFilter.ALL.limit(1))).isEqualTo(new AffectedCount(1));
        control.await(third, LONG);
        assertThat(control.purgeDead(JobFilter.ALL.type("fail"))).isEqualTo(new AffectedCount(3));
        assertThat(control.stats().dead()).isZero();
        assertRefused(Kind.NOT_FOUND, () -> control.deadLetter(first));
        String waits = submit(IDLE);
        assertRefused(Kind.NOT_FOUND, () -> control.deadLetter(waits));
        assertRefused(Kind.CONFLICT, () -> control.retry(waits));
    }

    @Test
    void setsWhenAJobMayRun() {
        Instant time = Instant.parse("2100-01-31T08:00:00Z");
        String id = submit(JobDraft.of(IDLE, null).delay(Duration.ofHours(1)));

        assertThat(control.runNow(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(control.reschedule(id, null, time)).satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
            assertThat(job.dueAt()).isEqualTo(time);
        });
        assertThat(control.reschedule(id, Duration.ZERO, null).state()).isEqualTo(JobState.QUEUED);
        assertThat(control.job(id).history()).extracting(HistoryEntry::reason).containsExactly("told to run now",
                "rescheduled to run at " + time, "rescheduled to run in 0 ms");
        assertRefused(Kind.INVALID, () -> control.reschedule(id, null, null));
        assertRefused(Kind.INVALID, () -> control.reschedule(id, Duration.ZERO, time));
        assertRefused(Kind.INVALID, () -> control.reschedule(id, Duration.ofSeconds(-1), null));
        assertRefused(Kind.INVALID, () -> control.reschedule(id, null, Instant.parse("1969-01-01T00:00:00Z")));
        control.cancel(id, "");
        assertRefused(Kind.CONFLICT, () -> control.runNow(id));
        assertRefused(Kind.CONFLICT, () -> control.reschedule(id, Duration.ZERO, null));
        assertRefused(Kind.NOT_FOUND, () -> control.runNow(JobId.next().toString()));
    }

    @Test
    void countsJobsAndDeadLetters() {
        submit(IDLE);
        control.pause(submit(IDLE), "");
        submitDeadLetter();

        Stats stats = control.stats();
        assertThat(stats.jobs()).containsEntry(JobState.QUEUED, 1L).containsEntry(JobState.PAUSED, 1L).hasSize(2);
        assertThat(stats.dead()).isEqualTo(1);
        assertThat(stats.nodeId()).isEqualTo(pool.admin().nodeId());
        assertThat(stats.types()).containsExactly("echo", "fail", "gate", "steps");
        assertThat(node().submitted()).isEqualTo(3);
        // The node counts after the commit that made the end visible.
        Awaitility.await().atMost(LONG).until(() -> node().types().containsKey("fail"));
    }

    private PoolStats node() {
        return Objects.requireNonNull(control.stats().node());
    }

    @Test
    void refusesToDrainANodeThatIsPartOfAnApplication() {
        assertThat(catchThrowableOfType(ControlException.class, () -> control.drain(Duration.ZERO)))
                .satisfies(refused -> assertThat(refused.kind()).isEqualTo(Kind.CONFLICT)).hasMessage(
                        "node " + pool.admin().nodeId() + " is part of an application; stop that application instead");
        assertThat(catchThrowableOfType(ControlException.class, () -> control.drain(Duration.ofSeconds(-1))))
                .satisfies(refused -> assertThat(refused.kind()).isEqualTo(Kind.INVALID));
        assertThat(state(submit("echo"))).isNotNull();
    }

    @Test
    void setsBudgetsAndReturnsTheirStatus() {
        assertThat(control.budgets()).isEmpty();
        BudgetView set = control.setBudget(new BudgetDraft("type:echo", "usd/24h", new BigDecimal("1.00")));
        assertThat(set.state()).isEqualTo(BudgetStatus.State.OPEN);
        Instant now = Instant.now();
        pool.admin().capability(SpendStore.class).orElseThrow()
                .record(new Spend(JobId.next(), 1, "echo", Set.of(), now, now, new BigDecimal("0.9"), false, 10));
        assertThat(control.budgets()).singleElement().satisfies(budget -> {
            assertThat(budget.used()).isEqualByComparingTo("0.9");
            assertThat(budget.state()).isEqualTo(BudgetStatus.State.WARNING);
        });
        control.setBudget(new BudgetDraft("type:echo", "usd/24h", new BigDecimal("0.5")));
        assertThat(control.budgets()).singleElement()
                .satisfies(budget -> assertThat(budget.state()).isEqualTo(BudgetStatus.State.CLOSED));
        assertRefused(Kind.NOT_FOUND, () -> control.removeBudget(null, "usd/24h"));
        assertThat(control.removeBudget("type:echo", "usd/24h").count()).isEqualTo(1);
        assertThat(control.budgets()).isEmpty();
        assertRefused(Kind.INVALID, () -> control.removeBudget("pool", "usd/year"));
        assertRefused(Kind.INVALID, () -> control.setBudget(new BudgetDraft("pool", "usd/24h", new BigDecimal("-1"))));
        assertRefused(Kind.INVALID, () -> control.setBudget(new BudgetDraft("pool", "usd/year", BigDecimal.ONE)));
        assertRefused(Kind.INVALID, () -> control.setBudget(new BudgetDraft("node:a", "usd/24h", BigDecimal.ONE)));
    }

    @Test
    void setsListsAndRemovesLimits() {
        assertThat(control.limits()).isEmpty();
        LimitView set = control.setLimit(new LimitDraft("per-customer", "idle", null, null, "$.customer", 2, 100,
                Duration.ofMinutes(1), 10, "dropNew"));
        assertThat(set).isEqualTo(new LimitView("per-customer", "type:idle", "$.customer", 2, 100,
                Duration.ofMinutes(1), 10, "dropNew", List.of()));
        control.setLimit(new LimitDraft("named", null, null, null, null, 1, null, null, null, null));
        submit(JobDraft.of("unknown", json("{}")).limitKeys(Map.of("named", "42")));
        assertThat(control.limits()).extracting(LimitView::name).containsExactly("named", "per-customer");
        assertThat(control.removeLimit("named")).isEqualTo(new AffectedCount(1));
        assertRefused(Kind.NOT_FOUND, () -> control.removeLimit("named"));
        assertThat(control.limits()).containsExactly(set);
    }

    @Test
    void refusesLimitsThatMakeNoSenseAndChangesNothing() {
        Map<LimitDraft, String> wrong = new LinkedHashMap<>();
        wrong.put(new LimitDraft("one", null, null, null, null, 0, null, null, null, null),
                "maxConcurrent of limit 'one' must be at least 1: 0");
        wrong.put(new LimitDraft("one", null, null, null, null, -1, null, null, null, null),
                "maxConcurrent of limit 'one' must be at least 1: -1");
        wrong.put(new LimitDraft("one", null, null, null, null, null, null, null, null, null),
                "set how many jobs may run at once, or a rate such as 100/1m");
        wrong.put(new LimitDraft("one", null, null, null, "$..id", 1, null, null, null, null),
                "'$..id' is not a path to one value");
        wrong.put(new LimitDraft("one", "a", "b", null, null, 1, null, null, null, null),
                "a limit covers a type, a queue or a tag, only one of them");
        wrong.put(new LimitDraft("one", null, null, null, null, null, 5, null, null, null),
                "a rate needs a number and a time");
        wrong.put(new LimitDraft("one", null, null, null, null, null, 0, Duration.ofSeconds(1), null, null),
                "the count of a rate must be at least 1: 0");
        wrong.put(new LimitDraft("one", null, null, null, null, null, 5, Duration.ZERO, null, null),
                "the time of a rate must be at least 1 ms: 0 ms");
        wrong.put(new LimitDraft("one", null, null, null, null, null, 5, Duration.ofSeconds(1), 0, null),
                "the burst of a rate must be at least 1: 0");
        wrong.put(new LimitDraft("one", null, null, null, null, 1, null, null, 3, null),
                "limit 'one' has no rate");
        wrong.put(new LimitDraft("one", null, null, null, null, 1, null, null, null, "never"),
                "unknown policy for a full limit 'never'; expected queue, dropNew or cancelRunning");
        wrong.put(new LimitDraft("one", null, null, null, null, null, 5, Duration.ofSeconds(1), null, "cancelRunning"),
                "use queue or dropNew");
        wrong.put(new LimitDraft("x".repeat(201), null, null, null, null, 1, null, null, null, null),
                "must have 1 to 200 characters");
        wrong.forEach((draft, reason) -> assertThat(assertRefused(Kind.INVALID, () -> control.setLimit(draft)))
                .hasMessageContaining(reason).hasMessageNotContaining("\n"));
        assertRefused(Kind.INVALID, () -> submit(JobDraft.of("unknown", json("{}")).limitKeys(Map.of("one", "42"))));
        assertThat(control.limits()).isEmpty();
    }

    @Test
    void findsJobsByTheTextOfTheirConversations() {
        String id = submit(IDLE);
        pool.admin().capability(TextIndex.class).orElseThrow().index(JobId.of(id), 1, "Fix the empty line");
        assertThat(control.jobs(JobFilter.ALL.text("EMPTY line")).jobs()).extracting(JobView::id).containsExactly(id);
        assertThat(control.jobs(JobFilter.ALL.text("empty page")).jobs()).isEmpty();
        assertThat(control.jobs(JobFilter.ALL.text("line").type("other")).jobs()).isEmpty();
        assertRefused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.text("--")));
        assertRefused(Kind.INVALID, () -> control.retryDead(JobFilter.ALL.text("line")));
        assertRefused(Kind.NOT_FOUND, () -> control.conversation(id, null));
        assertThatThrownBy(() -> control.conversation(id, 7))
                .hasMessageMatching("job " + id + " has no attempt 7, only \\d attempts?");
    }

    @Test
    void computesTheProgressOfABatchFromItsUnits() {
        BatchSpec order = new BatchSpec("docs", "batch:docs-1", "", "/", "Hi", 1, "/units", 1);
        String batch = submit(
                JobDraft.of(ReservedNames.BATCH, ControlJson.tree(ControlJson.write(order))).subject("docs")
                        .tags(Set.of(BatchSpec.TAG)));
        String unit = unit(batch, IDLE, "{\"a\":1}");
        control.pauseQueue(order.queue());
        Instant now = Instant.now();
        pool.admin().capability(SpendStore.class).orElseThrow().record(new Spend(JobId.of(unit), 1, order.type(),
                Set.of("docs", batch), now, now.plusSeconds(1), new BigDecimal("0.25"), true, 7));
        assertThat(control.batches()).singleElement().isEqualTo(control.batch(batch)).satisfies(view -> {
            assertThat(view.name()).isEqualTo("docs");
            assertThat(view.counts()).containsOnly(Map.entry(JobState.QUEUED, 1L));
            assertThat(view.usd()).isEqualByComparingTo("0.25");
            assertThat(view.estimated()).isTrue();
            assertThat(view.waits()).isTrue();
            assertThat(view.hasBeenTried()).isFalse();
        });
        assertThat(control.approveBatch(batch).waits()).isFalse();
        assertThat(control.units(batch, null, 1)).satisfies(page -> {
            assertThat(page.units()).extracting(UnitView::id).containsExactly(unit);
            assertThat(control.units(batch, page.next(), 1).units()).isEmpty();
        });
        assertRefused(Kind.NOT_FOUND, () -> control.batch(unit));
    }

    @Test
    void returnsTheStartAndTheEndOfAUnit() {
        // The batch must not have ended: the end of a batch cancels its remaining units.
        String batch = batch(ReservedNames.BATCH, "docs", "batch:docs-1");
        String unit = unit(batch, "echo", "{\"a\":1}");
        Awaitility.await().atMost(LONG).until(() -> state(unit).isFinal());

        assertThat(control.units(batch, null, 1).units()).singleElement()
                .satisfies(view -> assertThat(view.startedAt()).isNotNull().isBeforeOrEqualTo(view.endedAt()));
    }

    private static JobType<JsonNode, JsonNode> jsonType(String name) {
        return JobType.of(name, JsonNode.class, JsonNode.class);
    }

    private String batch(String name, String type) {
        JobType<JsonNode, JsonNode> ending = jsonType("batch@" + Machine.name());
        pool.registerIfAbsent(ending, (payload, job) -> payload);
        return batch(ending.name(), name, type);
    }

    /** Submits a unit as a node does, because callers may not. */
    private String unit(String batch, String type, String payload) {
        return pool.submit(jsonType(type).with(json(payload)).maxRetries(0).parent(JobId.of(batch))).id()
                .toString();
    }

    private String batch(String job, String name, String type) {
        BatchSpec order = new BatchSpec(name, type, "", "/", "Hi", 2, "/units", 0);
        return submit(JobDraft.of(job, ControlJson.tree(ControlJson.write(order))).subject(name)
                .tags(Set.of(BatchSpec.TAG)));
    }

    @Test
    void findsABatchByItsName() {
        assertThat(assertRefused(Kind.NOT_FOUND, () -> control.batch("docs")))
                .hasMessage("no batch has the name or id 'docs'; there are no batches");
        batch("docs", "batch:docs-1");
        String newest = batch("docs", "batch:docs-2");
        String other = batch("cafe", "batch:cafe-1");
        assertThat(control.batch("docs").id()).isEqualTo(newest);
        assertThat(control.batch("cafe").id()).isEqualTo(other);
        assertThat(control.batch(newest).name()).isEqualTo("docs");
        assertThat(control.units("docs", null, 1).units()).isEmpty();
        assertThat(control.approveBatch("docs").id()).isEqualTo(newest);
        for (String unknown : List.of("dosc", "abcdef")) {
            assertThat(assertRefused(Kind.NOT_FOUND, () -> control.units(unknown, null, 1)))
                    .hasMessage("no batch has the name or id '" + unknown + "'; known batches: cafe, docs");
        }
        assertRefused(Kind.INVALID, () -> control.batch("a\u0000b"));
    }

    @Test
    void showsABatchThatCannotBeReadWithoutHidingTheOthers() {
        String good = batch("docs", "batch:docs-1");
        String bad = submit(JobDraft.of(ReservedNames.BATCH, json("{\"type\":\"echo\"}")).tags(Set.of(BatchSpec.TAG)));
        String other = submit(JobDraft.of(ReservedNames.BATCH, json("[]")).tags(Set.of(BatchSpec.TAG)));

        assertThat(control.batches()).extracting(BatchView::id).containsExactly(other, bad, good);
        assertThat(control.batch(bad).error())
                .isEqualTo("the payload of this batch cannot be read: name is missing");
        assertThat(control.batch(other).error()).startsWith("the payload of this batch cannot be read: ");
        assertRefused(Kind.INVALID, () -> control.units(bad, null, 1));
    }

    @Test
    void takesNoJobForABatchBecauseOfItsTag() {
        BatchSpec order = new BatchSpec("docs", "batch:docs-1", "", "/", "Hi", 1, "/units", 1);
        String id = pool.submit(jsonType(IDLE).with(json(ControlJson.write(order))).subject("docs")
                .tags(BatchSpec.TAG)).id().toString();

        assertThat(control.batches()).isEmpty();
        assertRefused(Kind.NOT_FOUND, () -> control.batch(id));
        assertRefused(Kind.NOT_FOUND, () -> control.batch("docs"));
    }

    @Test
    void retriesTheFailedUnitsOfABatch() {
        String batch = batch("docs", "batch:docs-1");
        control.await(batch, LONG);
        String failed = unit(batch, "fail", "{}");
        assertThat(control.await(failed, LONG).job().state()).isEqualTo(JobState.FAILED);
        assertThat(control.batch("docs").state()).isEqualTo(JobState.FAILED);
        control.pauseQueue("default");
        assertThat(control.retryBatch("docs").count()).isEqualTo(1);
        assertThat(control.batch("docs").state()).as("units were queued again").isEqualTo(JobState.WAITING);
        assertThat(control.batch("docs").endedAt()).isNull();
        control.resumeQueue("default");
        assertThat(control.await(failed, LONG).attempts()).hasSize(2);
        assertThat(control.batch("docs").state()).isEqualTo(JobState.FAILED);
        assertRefused(Kind.NOT_FOUND, () -> control.retryBatch(failed));
    }

    private static final String PLACE = "elsewhere:/home/.heddle";

    @Test
    void returnsRunsAndTheirOutput() {
        String id = submit(IDLE);
        Run run = new Run(JobId.of(id), 1, PLACE, 3, new Run.Work("/src/app", "abc", "refs/heddle/x/1"),
                List.of(new Run.Artifact("a/b", 7)), true,
                new Run.Usage("claude", "sonnet", "s-1", 12, new BigDecimal("0.5"), false));
        assertThat(pool.admin().capability(RunArchive.class).orElseThrow().save(run,
                new RunArchive.Output("out\n", "err\n"))).isTrue();
        assertThat(control.job(id).runs()).containsExactly(run);
        assertThat(control.output(id, OutputQuery.ALL).bytes()).asString().isEqualTo("out\n");
        OutputChunk errors = control.output(id, new OutputQuery(1, Run.Channel.STDERR, 1L, Duration.ofSeconds(1)));
        assertThat(errors.bytes()).asString().isEqualTo("rr\n");
        assertThat(errors.next()).isEqualTo(4);
        assertThat(errors.last()).isFalse();
        assertThat(control.output(id, new OutputQuery(1, Run.Channel.STDERR, 4L, Duration.ZERO)).last()).isTrue();
        assertRefused(Kind.INVALID, () -> control.output(id, new OutputQuery(1, null, -1L, null)));
        assertRefused(Kind.NOT_FOUND, () -> control.output(JobId.next().toString(), OutputQuery.ALL));
    }

    @Test
    void waitsForOutputWhileAJobRuns() {
        String id = submitRunning();
        assertThat(control.output(id, OutputQuery.ALL).last()).isFalse();
        control.cancel(id, "enough");
        Awaitility.await().atMost(LONG).until(() -> control.output(id, OutputQuery.ALL).last());
        Awaitility.await().atMost(LONG).until(() -> control.job(id).attempts().size() == 1);
        assertThat(assertRefused(Kind.NOT_FOUND, () -> control.output(id, new OutputQuery(1, null, null, null))))
                .hasMessage("attempt 1 of job " + id + " left no output");
    }

    @Test
    void startsAndStopsWorkers() {
        String first = control.workers().getFirst().id();
        WorkerView more = control.startWorker();
        assertThat(control.workers()).hasSize(3);
        assertThat(control.stopWorker(more.id()).id()).isEqualTo(more.id());
        assertThat(control.workers()).extracting(WorkerView::id).hasSize(2).doesNotContain(more.id());
        assertRefused(Kind.NOT_FOUND, () -> control.stopWorker(more.id()));
        assertThat(control.worker(more.id()).worker().state()).as("its history outlives it")
                .isEqualTo(WorkerState.TERMINATED);
        assertThat(control.worker(more.id()).history()).isNotEmpty();
        control.drainWorker(first);
        Awaitility.await().atMost(LONG).until(() -> control.workers().size() == 1);
        String last = control.workers().getFirst().id();
        assertThat(assertRefused(Kind.CONFLICT, () -> control.drainWorker(last)))
                .hasMessageContaining("is the last of group");
    }

    @Test
    void finishesTheJobOfADrainedWorkerAndRequeuesThatOfAStoppedOne() {
        String drained = submitRunning();
        String first = control.workers().stream().filter(worker -> drained.equals(worker.job())).findFirst()
                .orElseThrow().id();
        control.startWorker();
        control.drainWorker(first);
        assertThat(control.worker(first).worker().job()).isEqualTo(drained);
        String stopped = submitRunning();
        String second = control.workers().stream().filter(worker -> stopped.equals(worker.job())).findFirst()
                .orElseThrow().id();
        control.startWorker();
        control.stopWorker(second);
        Awaitility.await().atMost(LONG).until(() -> control.job(stopped).attempts().size() == 1);
        assertThat(control.job(stopped).attempts().getFirst().end()).isEqualTo(Attempt.End.RELEASED);
        testPool.openGate();
        assertThat(control.await(drained, LONG).attempts().getFirst().worker()).isEqualTo(first);
        Awaitility.await().atMost(LONG)
                .until(() -> control.workers().stream().noneMatch(worker -> worker.id().equals(first)));
    }

    @Test
    void returnsAnEmptyLogForAWorkerWithoutOne() {
        LogChunk piece = control.workerLog(control.workers().getFirst().id(), 0, Duration.ZERO);
        assertThat(piece.bytes()).isEmpty();
        assertRefused(Kind.INVALID, () -> control.workerLog(piece.worker(), -1, Duration.ZERO));
        assertRefused(Kind.NOT_FOUND, () -> control.workerLog("nobody", 0, Duration.ZERO));
    }
}
