package dev.heddle.control;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.heddle.budget.Spend;
import dev.heddle.budget.SpendBook;
import dev.heddle.budget.Standing;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolStats;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.search.TextIndex;
import dev.heddle.store.Store;
import dev.heddle.worker.WorkerState;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** What every {@link Control} does, beside the pool or across a wire, whatever the store. */
abstract class ControlContract {

    static final Duration LONG = Duration.ofSeconds(30);
    /** A type that has no handler here, so that its jobs stay where they are. */
    private static final String IDLE = "idle";

    private final Bench bench = new Bench();
    @SuppressWarnings("NullAway.Init") // before each test
    private Pool pool;
    @SuppressWarnings("NullAway.Init") // before each test
    private Control control;

    abstract Store newStore();

    abstract Control control(Pool pool);

    /** Closes what {@link #control} opened beside the control itself. */
    void closeBeside() {}

    @BeforeEach
    void open() {
        pool = bench.on(newStore()).open();
        control = control(pool);
    }

    @AfterEach
    void close() {
        control.close();
        closeBeside();
        bench.openGate();
        pool.close();
    }

    private static JsonNode json(String text) {
        return ControlJson.tree(text);
    }

    private String submit(JobDraft draft) {
        return control.submit(List.of(draft)).jobs().getFirst().id();
    }

    private String submit(String type) {
        return submit(JobDraft.of(type, json("{}")));
    }

    private JobState state(String id) {
        return control.job(id).job().state();
    }

    private String dead() {
        String id = submit("fail");
        assertThat(control.await(id, LONG).job().state()).isEqualTo(JobState.FAILED);
        return id;
    }

    private String running() {
        String id = submit("gate");
        Awaitility.await().atMost(LONG).until(() -> state(id) == JobState.RUNNING);
        return id;
    }

    private static ControlException refused(Kind kind, ThrowingCallable question) {
        ControlException e = catchThrowableOfType(ControlException.class, question);
        assertThat(e).isNotNull();
        assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
        assertThat(e.getMessage()).isNotBlank().doesNotContain("\n").hasSizeLessThan(600);
        return e;
    }

    @Test
    void submitsAJobAndGivesItsResult() {
        JsonNode payload = json("{\"name\":\"Ada\",\"n\":[1,2.5,null,true]}");
        Submitted submitted = control.submit(List.of(JobDraft.of("echo", payload)));

        assertThat(submitted.warnings()).isEmpty();
        String id = submitted.jobs().getFirst().id();
        JobDetail ended = control.await(id, LONG);
        assertThat(ended.job().state()).isEqualTo(JobState.COMPLETED);
        assertThat(ended.payload()).isEqualTo(payload);
        assertThat(String.valueOf(ended.result())).isEqualTo(payload.toString());
        assertThat(ended.attempts()).singleElement()
                .satisfies(attempt -> assertThat(attempt.end()).isEqualTo(Attempt.End.COMPLETED));
        assertThat(control.job(id)).isEqualTo(ended);
    }

    @Test
    void keepsAPayloadDigitByDigit() {
        JsonNode payload = json(
                "{\"x\":0.1000000000000000055511151231257827,\"y\":123456789012345678901234567890}");

        assertThat(control.job(submit(JobDraft.of(IDLE, payload))).payload()).hasToString(payload.toString());
        assertThat(control.job(submit(JobDraft.of(IDLE, null))).payload()).hasToString("{}");
        assertThat(control.job(submit(JobDraft.of(IDLE, json("null")))).payload()).hasToString("null");
    }

    @Test
    void submitsWithEveryOption() {
        String parent = submit(IDLE);
        Instant at = Instant.parse("2099-01-01T00:00:00Z");
        String own = JobId.next().toString();
        String id = submit(
                new JobDraft(IDLE, json("7"), own, "mail", 5, null, at, 4, Duration.ofSeconds(90), parent,
                        "s1", "doc-1", Set.of("b", "a"), "key"));

        assertThat(id).isEqualTo(own);
        assertThat(control.job(id).job()).satisfies(job -> {
            assertThat(job.queue()).isEqualTo("mail");
            assertThat(job.priority()).isEqualTo(5);
            assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
            assertThat(job.dueAt()).isEqualTo(at);
            assertThat(job.maxRetries()).isEqualTo(4);
            assertThat(job.timeout()).isEqualTo(Duration.ofSeconds(90));
            assertThat(job.parent()).isEqualTo(parent);
            assertThat(job.session()).isEqualTo("s1");
            assertThat(job.subject()).isEqualTo("doc-1");
            assertThat(job.tags()).containsExactly("a", "b");
            assertThat(job.dedupeKey()).isEqualTo("key");
        });
    }

    private String child(String parent) {
        return submit(
                new JobDraft(IDLE, null, null, null, null, null, null, null, null, parent, null, null, null,
                        null));
    }

    @Test
    void showsAJobWithItsFamily() {
        String root = submit(IDLE);
        List<String> children = List.of(child(root), child(root), child(root));
        String grandchild = child(children.get(1));
        control.cancel(children.get(2), "");

        JobTree tree = control.tree(root, 5, 100);

        assertThat(tree.job().id()).isEqualTo(root);
        assertThat(tree.counts()).isEqualTo(Map.of(JobState.QUEUED, 2L, JobState.CANCELLED, 1L));
        assertThat(tree.more()).isZero();
        assertThat(tree.children()).extracting(child -> child.job().id()).containsExactlyElementsOf(children);
        assertThat(tree.children().get(1).children()).extracting(child -> child.job().id())
                .containsExactly(grandchild);
        assertThat(tree.children().getFirst().counts()).isEmpty();
        assertThat(control.job(root).children()).isEqualTo(tree.counts());
    }

    @Test
    void leavesOutWhatIsTooMuchOfATreeAndCountsIt() {
        String root = submit(IDLE);
        List<String> children = List.of(child(root), child(root), child(root));
        child(children.getFirst());
        child(children.getFirst());

        JobTree shallow = control.tree(root, 2, 100);
        assertThat(shallow.more()).isZero();
        assertThat(shallow.children().getFirst().children()).isEmpty();
        assertThat(shallow.children().getFirst().more()).isEqualTo(2);
        assertThat(shallow.children().getFirst().counts()).isEqualTo(Map.of(JobState.QUEUED, 2L));

        JobTree small = control.tree(root, 5, 3);
        assertThat(small.children()).extracting(child -> child.job().id())
                .containsExactlyElementsOf(children.subList(0, 2));
        assertThat(small.more()).isEqualTo(1);
        assertThat(small.counts()).isEqualTo(Map.of(JobState.QUEUED, 3L));
        assertThat(small.children().getFirst().more()).as("nearer generations come first").isEqualTo(2);

        refused(Kind.NOT_FOUND, () -> control.tree(JobId.next().toString(), 5, 100));
        assertThat(refused(Kind.INVALID, () -> control.tree(root, 21, 100)))
                .hasMessage("generations must be from 1 to 20: 21");
        assertThat(refused(Kind.INVALID, () -> control.tree(root, 5, 0)))
                .hasMessage("limit must be from 1 to 1000: 0");
    }

    @Test
    void cancelsAJobWithItsFamily() {
        String root = submit(IDLE);
        String child = child(root);
        String grandchild = child(child);

        control.cancel(root, "enough");

        assertThat(control.job(root).job().reason()).isEqualTo("enough");
        assertThat(control.job(grandchild).job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(control.job(child).job().reason()).isEqualTo("parent job completed");
    }

    @Test
    void deletesAParentAndCancelsItsChildren() {
        String root = submit(IDLE);
        String child = child(root);

        control.delete(root);

        assertThat(control.job(child).job().reason()).isEqualTo("parent job deleted");
    }

    @Test
    void submitsManyAtOnceAndSaysWhichWereThere() {
        JobDraft keyed = new JobDraft(IDLE, null, null, null, null, null, null, null, null, null, null, null,
                null,
                "key");
        String first = submit(keyed);
        List<JobDraft> drafts = new ArrayList<>(IntStream.range(0, 50)
                .mapToObj(i -> JobDraft.of(IDLE, json(String.valueOf(i)))).toList());
        drafts.add(keyed);

        Submitted submitted = control.submit(drafts);

        assertThat(submitted.jobs()).hasSize(51);
        assertThat(submitted.jobs().getLast()).isEqualTo(new Submitted.Accepted(first, true));
        assertThat(submitted.jobs().subList(0, 50)).noneMatch(Submitted.Accepted::duplicate);
        assertThat(control.job(submitted.jobs().get(7).id()).payload()).hasToString("7");
        assertThat(control.stats().jobs()).containsEntry(JobState.QUEUED, 51L);
    }

    @Test
    void makesOneJobOfADraftThatIsRepeated() {
        JobDraft draft = JobDraft.of(IDLE, null).id(JobId.next().toString());

        assertThat(submit(draft)).isEqualTo(submit(draft));
        assertThat(control.stats().jobs()).containsEntry(JobState.QUEUED, 1L);
    }

    @Test
    void warnsOfATypeThatNobodyHereRuns() {
        Submitted submitted = control.submit(List.of(JobDraft.of("ehco", null), JobDraft.of("echo", null)));

        assertThat(submitted.warnings()).singleElement().asString().contains("'ehco'")
                .contains("echo, fail, gate");
    }

    @Test
    void warnsOfASessionThatMeansNothing() {
        Submitted submitted = control.submit(List.of(session("fail"), session("echo"), session("fail")));

        assertThat(submitted.warnings())
                .containsExactly("a session means nothing to job type 'fail': its jobs run on any worker");
    }

    private static JobDraft session(String type) {
        return new JobDraft(type, null, null, null, null, null, null, null, null, null, "ada", null, null,
                null);
    }

    static List<Function<JobDraft, JobDraft>> wrongDrafts() {
        return List.of(
                d -> new JobDraft(" ", null, null, null, null, null, null, null, null, null, null, null, null,
                        null),
                d -> JobDraft.of("a\u0000b", null), d -> JobDraft.of("x".repeat(201), null),
                d -> JobDraft.of("\uD800", null), d -> d.id("nonsense"), d -> d.id("1-1-1-1-1"),
                d -> with(d, "", null, null, null, null, null),
                d -> with(d, null, Duration.ofSeconds(-1), null, null,
                        null, null),
                d -> with(d, null, Duration.ofSeconds(1), Instant.parse("2030-01-01T00:00:00Z"), null, null,
                        null),
                d -> with(d, null, Duration.ofDays(99_999_999), null, null, null, null),
                d -> with(d, null, null, Instant.MAX, null, null, null),
                d -> with(d, null, null, Instant.parse("1969-12-31T23:59:59Z"), null, null, null),
                d -> with(d, null, null, null, -1, null, null),
                d -> with(d, null, null, null, null, Duration.ZERO, null),
                d -> with(d, null, null, null, null, null, "not an id"),
                d -> JobDraft.of(IDLE, json("\"" + "x".repeat(1 << 20) + "\"")),
                d -> JobDraft.of(IDLE, json("\"\\u0000\"")), d -> JobDraft.of(IDLE, json("[\"\\ud83d\"]")));
    }

    private static JobDraft with(JobDraft d, @Nullable String queue, @Nullable Duration delay,
            @Nullable Instant runAt,
            @Nullable Integer maxRetries, @Nullable Duration timeout, @Nullable String parent) {
        return new JobDraft(d.type(), d.payload(), d.id(), queue, null, delay, runAt, maxRetries, timeout,
                parent, null,
                null, null, null);
    }

    @ParameterizedTest
    @MethodSource("wrongDrafts")
    void refusesAWrongDraftAndAllThatCameWithIt(Function<JobDraft, JobDraft> mistake) {
        JobDraft right = JobDraft.of(IDLE, null);

        refused(Kind.INVALID, () -> control.submit(List.of(right, mistake.apply(right))));
        assertThat(control.stats().jobs()).isEmpty();
    }

    @Test
    void refusesAParentThatIsNotThereAndNoJobsAtAll() {
        refused(Kind.NOT_FOUND, () -> submit(with(JobDraft.of(IDLE, null), null, null, null, null, null,
                JobId.next().toString())));
        refused(Kind.INVALID, () -> control.submit(List.of()));
    }

    @Test
    void refusesWhatAFullQueueHasNoRoomFor() {
        JobDraft draft = with(JobDraft.of(IDLE, null), "small", null, null, null, null, null);
        control.submit(List.of(draft, draft));

        assertThat(refused(Kind.FULL, () -> submit(draft))).hasMessageContaining("'small'");
    }

    @Test
    void listsByFilterAndPageByPage() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.addFirst(
                    submit(new JobDraft(IDLE, null, null, "q/ü", null, null, null, null, null, null, null,
                            i % 2 == 0 ? "even" : "odd", Set.of("n" + i), null)));
        }
        submit("other");
        JobFilter filter = JobFilter.ALL.queue("q/ü").limit(2);

        JobPage first = control.jobs(filter);
        JobPage second = control.jobs(filter.cursor(first.next()));
        JobPage third = control.jobs(filter.cursor(second.next()));
        List<String> seen = new ArrayList<>();
        List.of(first, second, third).forEach(page -> page.jobs().forEach(job -> seen.add(job.id())));
        assertThat(seen).isEqualTo(ids);
        assertThat(third.next()).isNull();
        assertThat(control.jobs(JobFilter.ALL.subject("even")).jobs()).hasSize(3);
        assertThat(control.jobs(JobFilter.ALL.tag("n3")).jobs()).singleElement()
                .satisfies(job -> assertThat(job.subject()).isEqualTo("odd"));
        assertThat(control.jobs(JobFilter.ALL.type("other").states(JobState.QUEUED, JobState.PAUSED)).jobs())
                .hasSize(1);
        assertThat(control.jobs(JobFilter.ALL.states(JobState.COMPLETED)).jobs()).isEmpty();
    }

    @Test
    void refusesAWrongFilter() {
        refused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.limit(0)));
        refused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.limit(1_001)));
        refused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.cursor("-1")));
        refused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.cursor("next")));
        refused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.type("a\nb")));
        refused(Kind.NOT_FOUND, () -> control.jobs(JobFilter.ALL.parent(JobId.next().toString())));
    }

    @Test
    void findsAJobByTheBeginningOfItsId() {
        String one = submit(JobDraft.of(IDLE, null).id("01900000-0000-7000-8000-00000000aa00"));
        String two = submit(JobDraft.of(IDLE, null).id("01900000-0000-7000-8000-00000000ab00"));

        assertThat(control.job("01900000-0000-7000-8000-00000000aa").job().id()).isEqualTo(one);
        assertThat(control.job("0190000000007000800000000000AB").job().id()).isEqualTo(two);
        assertThat(control.cancel("01900000-0000-7000-8000-00000000ab", "no").id()).isEqualTo(two);
        assertThat(refused(Kind.AMBIGUOUS, () -> control.job("0190"))).hasMessageContaining(one);
        refused(Kind.NOT_FOUND, () -> control.job("0191"));
        refused(Kind.NOT_FOUND, () -> control.job(JobId.next().toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz", "-", " ", "..%2f", "0190' OR 1=1",
        "01900000-0000-7000-8000-00000000aa0012"})
    void refusesWhatIsNoId(String id) {
        refused(Kind.INVALID, () -> control.job(id));
        refused(Kind.INVALID, () -> control.delete(id));
    }

    @Test
    void cancelsAJob() {
        String waiting = submit(IDLE);
        String runs = running();

        assertThat(control.cancel(waiting, "not needed")).satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.CANCELLED);
            assertThat(job.reason()).isEqualTo("not needed");
        });
        assertThat(control.cancel(runs, "").state()).isEqualTo(JobState.CANCELLED);
        assertThat(control.await(runs, LONG).job().reason()).startsWith("cancelled by ");
        assertThat(control.cancel(waiting, "again").reason()).isEqualTo("not needed");
        String done = submit("echo");
        control.await(done, LONG);
        assertThat(refused(Kind.CONFLICT, () -> control.cancel(done, "late")))
                .hasMessageContaining("COMPLETED");
        refused(Kind.INVALID, () -> control.cancel(waiting, "a\u0007b"));
    }

    @Test
    void pausesAndResumesAJob() {
        String id = submit(IDLE);

        assertThat(control.pause(id, "later").state()).isEqualTo(JobState.PAUSED);
        assertThat(control.resume(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(control.job(id).history()).extracting(entry -> entry.to()).containsExactly(JobState.PAUSED,
                JobState.QUEUED);
        String dead = dead();
        refused(Kind.CONFLICT, () -> control.pause(dead, ""));
        refused(Kind.CONFLICT, () -> control.resume(dead));
    }

    @Test
    void listsAndDropsSessions() {
        String id = submit(new JobDraft("echo", json("{}"), null, null, null, null, null, null, null, null,
                "ada / ü", null,
                null, null));
        control.await(id, LONG);
        assertThat(control.sessions()).singleElement().satisfies(session -> {
            assertThat(session.session()).isEqualTo("ada / ü");
            assertThat(session.type()).isEqualTo("echo");
            assertThat(session.worker()).startsWith(session.node());
            assertThat(session.strict()).isTrue();
        });
        assertThat(control.dropSession("ada / ü").count()).isEqualTo(1);
        assertThat(refused(Kind.NOT_FOUND, () -> control.dropSession("ada / ü")))
                .hasMessageContaining("no session");
        refused(Kind.INVALID, () -> control.dropSession("a\u0007b"));
    }

    @Test
    void deletesAJobThatNobodyRuns() {
        String id = submit(IDLE);
        String runs = running();

        assertThat(control.delete(id).id()).isEqualTo(id);
        refused(Kind.NOT_FOUND, () -> control.job(id));
        assertThat(refused(Kind.CONFLICT, () -> control.delete(runs)))
                .hasMessageContaining("cancel it first");
        assertThat(state(runs)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void waitsOnlyAsLongAsItWasTold() {
        String id = submit(IDLE);

        assertThat(control.await(id, Duration.ofMillis(1)).job().state()).isEqualTo(JobState.QUEUED);
        refused(Kind.INVALID, () -> control.await(id, Duration.ofSeconds(-1)));
        refused(Kind.NOT_FOUND, () -> control.await(JobId.next().toString(), LONG));
    }

    @Test
    void tellsHowAJobWent() {
        JobLog log = control.logs(dead());

        assertThat(log.lines()).extracting(JobLog.Line::level).contains("INFO", "WARN", "ERROR");
        assertThat(log.lines()).extracting(JobLog.Line::text)
                .anyMatch(text -> text.startsWith("Submitted to queue 'default'"))
                .anyMatch(text -> text.startsWith("Failed (PERMANENT): as it was told to\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail", "a/b", "..", "%2e%2e", "ä ö?x=1&y#z;c", "'; DROP TABLE job; --"})
    void pausesAndResumesAQueueWhateverItIsCalled(String queue) {
        submit(with(JobDraft.of(IDLE, null), queue, null, null, null, null, null));

        assertThat(control.pauseQueue(queue).paused()).isTrue();
        assertThat(control.queues()).singleElement().satisfies(view -> {
            assertThat(view.name()).isEqualTo(queue);
            assertThat(view.paused()).isTrue();
            assertThat(view.jobs()).containsEntry(JobState.QUEUED, 1L).hasSize(1);
        });
        assertThat(control.stats().pausedQueues()).containsExactly(queue);
        assertThat(control.resumeQueue(queue).paused()).isFalse();
        refused(Kind.INVALID, () -> control.pauseQueue(""));
    }

    @Test
    void showsNodesAndWorkers() {
        String runs = running();

        assertThat(control.nodes()).singleElement().satisfies(node -> {
            assertThat(node.id()).isEqualTo(pool.nodeId());
            assertThat(node.self()).isTrue();
            assertThat(node.alive()).isTrue();
            assertThat(node.workers()).isEqualTo(2);
            assertThat(node.busy()).isEqualTo(1);
        });
        WorkerView busy = control.workers().stream().filter(worker -> worker.state() == WorkerState.BUSY)
                .findFirst()
                .orElseThrow();
        assertThat(busy.job()).isEqualTo(runs);
        assertThat(busy.node()).isEqualTo(pool.nodeId());
        WorkerDetail detail = control.worker(busy.id());
        assertThat(detail.worker().id()).isEqualTo(busy.id());
        assertThat(detail.history()).first().satisfies(change -> {
            assertThat(change.to()).isEqualTo(WorkerState.BUSY);
            assertThat(change.metadata()).containsEntry("job", runs);
        });
        assertThat(control.worker("default-1").worker().id()).endsWith("/default-1");
        refused(Kind.AMBIGUOUS, () -> control.worker(pool.nodeId()));
        refused(Kind.NOT_FOUND, () -> control.worker("nobody"));
    }

    @Test
    void showsRetriesAndPurgesDeadLetters() {
        String first = dead();
        String second = dead();
        String third = dead();

        DeadPage page = control.deadLetters(JobFilter.ALL.limit(2));
        assertThat(page.deadLetters()).extracting(dead -> dead.job().id()).containsExactly(third, second);
        assertThat(control.deadLetters(JobFilter.ALL.limit(2).cursor(page.next())).deadLetters())
                .extracting(dead -> dead.job().id()).containsExactly(first);
        DeadLetterView letter = control.deadLetter(first);
        assertThat(letter.reason()).contains("as it was told to");
        assertThat(letter.attempts()).isEqualTo(1);
        assertThat(letter.failure()).isNotNull();
        assertThat(control.retry(first).id()).isEqualTo(first);
        assertThat(control.await(first, LONG).attempts()).hasSize(2);
        assertThat(control.purgeDead(JobFilter.ALL.type("nothing"))).isEqualTo(new Count(0));
        assertThat(control.retryDead(JobFilter.ALL.limit(1))).isEqualTo(new Count(1));
        control.await(third, LONG);
        assertThat(control.purgeDead(JobFilter.ALL.type("fail"))).isEqualTo(new Count(3));
        assertThat(control.stats().dead()).isZero();
        refused(Kind.NOT_FOUND, () -> control.deadLetter(first));
        String waits = submit(IDLE);
        refused(Kind.NOT_FOUND, () -> control.deadLetter(waits));
        refused(Kind.CONFLICT, () -> control.retry(waits));
    }

    @Test
    void countsWhatThereIs() {
        submit(IDLE);
        control.pause(submit(IDLE), "");
        dead();

        Stats stats = control.stats();
        assertThat(stats.jobs()).containsEntry(JobState.QUEUED, 1L).containsEntry(JobState.PAUSED, 1L)
                .hasSize(2);
        assertThat(stats.dead()).isEqualTo(1);
        assertThat(stats.nodeId()).isEqualTo(pool.nodeId());
        assertThat(stats.types()).containsExactly("echo", "fail", "gate");
        assertThat(node().submitted()).isEqualTo(3);
        // The node counts after the commit, which is what everybody else has seen.
        Awaitility.await().atMost(LONG).until(() -> node().types().containsKey("fail"));
    }

    private PoolStats node() {
        return Objects.requireNonNull(control.stats().node());
    }

    @Test
    void endsNoNodeThatBelongsToAnApplication() {
        assertThat(catchThrowableOfType(ControlException.class, () -> control.drain(Duration.ZERO)))
                .satisfies(refused -> assertThat(refused.kind()).isEqualTo(Kind.CONFLICT))
                .hasMessage("node " + pool.nodeId()
                        + " belongs to an application, which closes it with itself; stop that one");
        assertThat(catchThrowableOfType(ControlException.class, () -> control.drain(Duration.ofSeconds(-1))))
                .satisfies(refused -> assertThat(refused.kind()).isEqualTo(Kind.INVALID));
        assertThat(state(submit("echo"))).isNotNull();
    }

    @Test
    void setsBudgetsAndSaysHowTheyStand() {
        assertThat(control.budgets()).isEmpty();
        BudgetView set = control.setBudget(new BudgetDraft("type:echo", "usd/24h", new BigDecimal("1.00")));
        assertThat(set.state()).isEqualTo(Standing.State.OPEN);
        Instant now = Instant.now();
        pool.feature(SpendBook.class).orElseThrow()
                .record(new Spend(JobId.next(), 1, "echo", Set.of(), now, now,
                        new BigDecimal("0.9"), false, 10));
        assertThat(control.budgets()).singleElement().satisfies(budget -> {
            assertThat(budget.used()).isEqualByComparingTo("0.9");
            assertThat(budget.state()).isEqualTo(Standing.State.WARNING);
        });
        control.setBudget(new BudgetDraft("type:echo", "usd/24h", new BigDecimal("0.5")));
        assertThat(control.budgets()).singleElement()
                .satisfies(budget -> assertThat(budget.state()).isEqualTo(Standing.State.CLOSED));
        refused(Kind.INVALID,
                () -> control.setBudget(new BudgetDraft("pool", "usd/24h", new BigDecimal("-1"))));
        refused(Kind.INVALID, () -> control.setBudget(new BudgetDraft("pool", "usd/year", BigDecimal.ONE)));
        refused(Kind.INVALID, () -> control.setBudget(new BudgetDraft("node:a", "usd/24h", BigDecimal.ONE)));
    }

    @Test
    void findsJobsByWhatWasSaid() {
        String id = submit(IDLE);
        pool.feature(TextIndex.class).orElseThrow().index(JobId.of(id), 1, "Fix the empty line");
        assertThat(control.jobs(JobFilter.ALL.text("EMPTY line")).jobs()).extracting(JobView::id)
                .containsExactly(id);
        assertThat(control.jobs(JobFilter.ALL.text("empty page")).jobs()).isEmpty();
        assertThat(control.jobs(JobFilter.ALL.text("line").type("other")).jobs()).isEmpty();
        refused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.text("--")));
        refused(Kind.INVALID, () -> control.retryDead(JobFilter.ALL.text("line")));
        refused(Kind.NOT_FOUND, () -> control.conversation(id, null));
        assertThatThrownBy(() -> control.conversation(id, 7))
                .hasMessageMatching("job " + id + " has \\d attempts?, and no attempt 7");
    }

    @Test
    void countsABatchByItsUnits() {
        BatchOrder order = new BatchOrder("docs", "batch:docs-1", "", "/", "Hi", 1, "/units", 1);
        String batch = control
                .submit(List.of(new JobDraft(IDLE, ControlJson.tree(ControlJson.write(order)), null, null,
                        null, null, null, null, null, null, null, "docs", Set.of(BatchOrder.TAG), null)))
                .jobs().getFirst().id();
        String unit = control
                .submit(List.of(new JobDraft(IDLE, ControlJson.tree("{\"a\":1}"), null, null, null, null,
                        null, null, null, batch, null, null, null, null)))
                .jobs().getFirst().id();
        control.pauseQueue(order.queue());
        Instant now = Instant.now();
        pool.feature(SpendBook.class).orElseThrow()
                .record(new Spend(JobId.of(unit), 1, order.type(), Set.of("docs", batch), now,
                        now.plusSeconds(1), new BigDecimal("0.25"), true, 7));
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
        refused(Kind.NOT_FOUND, () -> control.batch(unit));
    }

    @Test
    void tellsWhenAnEndedUnitBeganAndEnded() {
        // Of a batch that is not over: what is left of one that is gets cancelled.
        String batch = batch(IDLE, "docs", "batch:docs-1");
        String unit = control.submit(List.of(new JobDraft("echo", ControlJson.tree("{\"a\":1}"), null, null,
                null, null, null, null, null, batch, null, null, null, null))).jobs().getFirst().id();
        Awaitility.await().atMost(LONG).until(() -> state(unit).isFinal());

        assertThat(control.units(batch, null, 1).units()).singleElement().satisfies(
                view -> assertThat(view.startedAt()).isNotNull().isBeforeOrEqualTo(view.endedAt()));
    }

    private String batch(String name, String type) {
        return batch("echo", name, type);
    }

    private String batch(String job, String name, String type) {
        BatchOrder order = new BatchOrder(name, type, "", "/", "Hi", 2, "/units", 0);
        return control.submit(List.of(new JobDraft(job, ControlJson.tree(ControlJson.write(order)), null,
                null, null, null, null, null, null, null, null, name, Set.of(BatchOrder.TAG), null)))
                .jobs().getFirst().id();
    }

    @Test
    void knowsABatchByItsName() {
        assertThat(refused(Kind.NOT_FOUND, () -> control.batch("docs")))
                .hasMessage("no batch is called 'docs', and no id begins so; there is no batch yet");
        batch("docs", "batch:docs-1");
        String newest = batch("docs", "batch:docs-2");
        String other = batch("cafe", "batch:cafe-1");
        assertThat(control.batch("docs").id()).isEqualTo(newest);
        assertThat(control.batch("cafe").id()).isEqualTo(other);
        assertThat(control.batch(newest).name()).isEqualTo("docs");
        assertThat(control.units("docs", null, 1).units()).isEmpty();
        assertThat(control.approveBatch("docs").id()).isEqualTo(newest);
        for (String unknown : List.of("dosc", "abcdef")) {
            assertThat(refused(Kind.NOT_FOUND, () -> control.units(unknown, null, 1))).hasMessage(
                    "no batch is called '" + unknown + "', and no id begins so; there are cafe, docs");
        }
        refused(Kind.INVALID, () -> control.batch("a\u0000b"));
    }

    @Test
    void triesTheFailedUnitsOfABatchAgain() {
        String batch = batch("docs", "batch:docs-1");
        control.await(batch, LONG);
        String failed = control
                .submit(List.of(new JobDraft("fail", json("{}"), null, null, null, null, null, 0, null,
                        batch, null, null, null, null)))
                .jobs().getFirst().id();
        assertThat(control.await(failed, LONG).job().state()).isEqualTo(JobState.FAILED);
        assertThat(control.batch("docs").state()).isEqualTo(JobState.COMPLETED);
        control.pauseQueue("default");
        assertThat(control.retryBatch("docs").count()).isEqualTo(1);
        assertThat(control.batch("docs").state()).as("units of it are at work").isEqualTo(JobState.WAITING);
        assertThat(control.batch("docs").endedAt()).isNull();
        control.resumeQueue("default");
        assertThat(control.await(failed, LONG).attempts()).hasSize(2);
        assertThat(control.batch("docs").state()).isEqualTo(JobState.COMPLETED);
        refused(Kind.NOT_FOUND, () -> control.retryBatch(failed));
    }

    private static final String PLACE = "elsewhere:/home/.heddle";

    @Test
    void showsWhatProcessesLeft() {
        String id = submit(IDLE);
        Run run = new Run(JobId.of(id), 1, PLACE, 3, new Run.Work("/src/app", "abc", "refs/heddle/x/1"),
                List.of(new Run.Artifact("a/b", 7)), true,
                new Run.Usage("claude", "sonnet", "s-1", 12, new BigDecimal("0.5"), false));
        assertThat(pool.runs().orElseThrow().keep(run, new RunArchive.Output("out\n", "err\n"))).isTrue();
        assertThat(control.job(id).runs()).containsExactly(run);
        assertThat(control.output(id, OutputQuery.ALL).bytes()).asString().isEqualTo("out\n");
        OutputPiece errors = control.output(id,
                new OutputQuery(1, Run.Channel.STDERR, 1L, Duration.ofSeconds(1)));
        assertThat(errors.bytes()).asString().isEqualTo("rr\n");
        assertThat(errors.next()).isEqualTo(4);
        assertThat(errors.last()).isFalse();
        assertThat(control.output(id, new OutputQuery(1, Run.Channel.STDERR, 4L, Duration.ZERO)).last())
                .isTrue();
        refused(Kind.INVALID, () -> control.output(id, new OutputQuery(1, null, -1L, null)));
        refused(Kind.NOT_FOUND, () -> control.output(JobId.next().toString(), OutputQuery.ALL));
    }

    @Test
    void waitsForOutputWhileAJobRuns() {
        String id = running();
        assertThat(control.output(id, OutputQuery.ALL).last()).isFalse();
        control.cancel(id, "enough");
        Awaitility.await().atMost(LONG).until(() -> control.output(id, OutputQuery.ALL).last());
        Awaitility.await().atMost(LONG).until(() -> control.job(id).attempts().size() == 1);
        assertThat(refused(Kind.NOT_FOUND, () -> control.output(id, new OutputQuery(1, null, null, null))))
                .hasMessage("attempt 1 of job " + id + " left no output");
    }

    @Test
    void startsAndStopsWorkers() {
        String first = control.workers().getFirst().id();
        WorkerView more = control.startWorker();
        assertThat(control.workers()).hasSize(3);
        assertThat(control.stopWorker(more.id()).id()).isEqualTo(more.id());
        assertThat(control.workers()).extracting(WorkerView::id).hasSize(2).doesNotContain(more.id());
        refused(Kind.NOT_FOUND, () -> control.stopWorker(more.id()));
        control.drainWorker(first);
        Awaitility.await().atMost(LONG).until(() -> control.workers().size() == 1);
        String last = control.workers().getFirst().id();
        assertThat(refused(Kind.CONFLICT, () -> control.drainWorker(last)))
                .hasMessageContaining("is the last of group");
    }

    @Test
    void aDrainedWorkerEndsWhatItRunsAndAStoppedOneGivesItBack() {
        String drained = running();
        String first = control.workers().stream().filter(worker -> drained.equals(worker.job())).findFirst()
                .orElseThrow().id();
        control.startWorker();
        control.drainWorker(first);
        assertThat(control.worker(first).worker().job()).isEqualTo(drained);
        String stopped = running();
        String second = control.workers().stream().filter(worker -> stopped.equals(worker.job())).findFirst()
                .orElseThrow().id();
        control.startWorker();
        control.stopWorker(second);
        Awaitility.await().atMost(LONG).until(() -> control.job(stopped).attempts().size() == 1);
        assertThat(control.job(stopped).attempts().getFirst().end()).isEqualTo(Attempt.End.RELEASED);
        bench.openGate();
        assertThat(control.await(drained, LONG).attempts().getFirst().worker()).isEqualTo(first);
        Awaitility.await().atMost(LONG)
                .until(() -> control.workers().stream().noneMatch(worker -> worker.id().equals(first)));
    }

    @Test
    void hasNoLogOfAWorkerThatHasNone() {
        LogPiece piece = control.workerLog(control.workers().getFirst().id(), 0, Duration.ZERO);
        assertThat(piece.bytes()).isEmpty();
        refused(Kind.INVALID, () -> control.workerLog(piece.worker(), -1, Duration.ZERO));
        refused(Kind.NOT_FOUND, () -> control.workerLog("nobody", 0, Duration.ZERO));
    }
}
