package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobLog;
import dev.heddle.control.model.JobPage;
import dev.heddle.control.model.JobTree;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.SubmitEffect;
import dev.heddle.pool.Pool;
import dev.heddle.store.Store;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
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

/** The contract of every {@link Control} for single jobs: submitting, listing, reading, commands. */
abstract class JobControlContract {

    static final Duration LONG = Duration.ofSeconds(30);
    /** A type without a handler: its jobs stay queued. */
    static final String IDLE = "idle";

    final TestPool testPool = new TestPool();
    @SuppressWarnings("NullAway.Init") // before each test
    Pool pool;
    @SuppressWarnings("NullAway.Init") // before each test
    Control control;

    protected abstract Store newStore();

    protected abstract Control control(Pool pool);

    /** Closes what {@link #control} opened in addition to the control. */
    protected void closeResources() {}

    @BeforeEach
    void open() {
        pool = testPool.on(newStore()).open();
        control = control(pool);
    }

    @AfterEach
    void close() {
        control.close();
        closeResources();
        testPool.openGate();
        pool.close();
    }

    static JsonNode json(String text) {
        return ControlJson.tree(text);
    }

    String submit(JobDraft draft) {
        return control.submit(List.of(draft)).jobs().getFirst().id();
    }

    String submit(String type) {
        return submit(JobDraft.of(type, json("{}")));
    }

    JobState state(String id) {
        return control.job(id).job().state();
    }

    String submitDeadLetter() {
        String id = submit("fail");
        assertThat(control.await(id, LONG).job().state()).isEqualTo(JobState.FAILED);
        return id;
    }

    String submitRunning() {
        String id = submit("gate");
        Awaitility.await().atMost(LONG).until(() -> state(id) == JobState.RUNNING);
        return id;
    }

    static ControlException assertRefused(Kind kind, ThrowingCallable question) {
        ControlException e = catchThrowableOfType(ControlException.class, question);
        assertThat(e).isNotNull();
        assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
        assertThat(e.getMessage()).isNotBlank().doesNotContain("\n").hasSizeLessThan(600);
        return e;
    }

    @Test
    void submitsAJobAndReturnsItsResult() {
        JsonNode payload = json("{\"name\":\"Ada\",\"n\":[1,2.5,null,true]}");
        SubmitResult submitted = control.submit(List.of(JobDraft.of("echo", payload)));

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
    void refusesNotificationsThatOnlyNodesSubmit() {
        for (String type : List.of("echo:onUnitComplete", "batch:docs-1:onUnitFailed")) {
            assertThat(assertRefused(Kind.DENIED, () -> submit(type))).hasMessageContaining(type);
            assertRefused(Kind.DENIED, () -> control.submit(List.of(JobDraft.of("echo", json("{}")),
                    JobDraft.of(type, json("{}")))));
        }
        assertThat(control.jobs(JobFilter.ALL).jobs()).isEmpty();
    }

    @Test
    void keepsEveryDigitOfAPayload() {
        JsonNode payload = json("{\"x\":0.1000000000000000055511151231257827,\"y\":123456789012345678901234567890}");

        assertThat(control.job(submit(JobDraft.of(IDLE, payload))).payload()).hasToString(payload.toString());
        assertThat(control.job(submit(JobDraft.of(IDLE, null))).payload()).hasToString("{}");
        assertThat(control.job(submit(JobDraft.of(IDLE, json("null")))).payload()).hasToString("null");
    }

    @Test
    void submitsWithEveryOption() {
        String parent = submit(IDLE);
        Instant at = Instant.parse("2099-01-01T00:00:00Z");
        String own = JobId.next().toString();
        String id = submit(JobDraft.of(IDLE, json("7")).id(own).queue("mail").priority(5).runAt(at).maxRetries(4)
                .timeout(Duration.ofSeconds(90)).parent(parent).session("s1").subject("doc-1").tags(Set.of("b", "a"))
                .dedupeKey("key").headers(Map.of("trace", "4bf9", "tenant", "acme")));

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
            assertThat(job.headers()).isEqualTo(Map.of("tenant", "acme", "trace", "4bf9"));
        });
    }

    private String child(String parent) {
        return submit(JobDraft.of(IDLE, null).parent(parent));
    }

    @Test
    void returnsAJobWithItsDescendants() {
        String root = submit(IDLE);
        List<String> children = List.of(child(root), child(root), child(root));
        String grandchild = child(children.get(1));
        control.cancel(children.get(2), "");

        JobTree tree = control.tree(root, 5, 100);

        assertThat(tree.job().id()).isEqualTo(root);
        assertThat(tree.counts()).isEqualTo(Map.of(JobState.QUEUED, 2L, JobState.CANCELLED, 1L));
        assertThat(tree.more()).isZero();
        assertThat(tree.children()).extracting(child -> child.job().id()).containsExactlyElementsOf(children);
        assertThat(tree.children().get(1).children()).extracting(child -> child.job().id()).containsExactly(grandchild);
        assertThat(tree.children().getFirst().counts()).isEmpty();
        assertThat(control.job(root).children()).isEqualTo(tree.counts());
    }

    @Test
    void countsTheJobsThatATreeLeavesOut() {
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

        assertRefused(Kind.NOT_FOUND, () -> control.tree(JobId.next().toString(), 5, 100));
        assertThat(assertRefused(Kind.INVALID, () -> control.tree(root, 21, 100)))
                .hasMessage("generations must be from 1 to 20: 21");
        assertThat(assertRefused(Kind.INVALID, () -> control.tree(root, 5, 0)))
                .hasMessage("limit must be from 1 to 1000: 0");
    }

    @Test
    void cancelsAJobWithItsDescendants() {
        String root = submit(IDLE);
        String child = child(root);
        String grandchild = child(child);

        control.cancel(root, "enough");

        assertThat(control.job(root).job().reason()).isEqualTo("enough");
        assertThat(control.job(grandchild).job().state()).isEqualTo(JobState.CANCELLED);
        assertThat(control.job(child).job().reason()).isEqualTo("parent job cancelled");
    }

    @Test
    void deletesAParentAndCancelsItsChildren() {
        String root = submit(IDLE);
        String child = child(root);

        control.delete(root);

        assertThat(control.job(child).job().reason()).isEqualTo("parent job deleted");
    }

    @Test
    void submitsManyJobsAtOnceAndMarksDuplicates() {
        JobDraft keyed = JobDraft.of(IDLE, null).dedupeKey("key");
        String first = submit(keyed);
        List<JobDraft> drafts = new ArrayList<>(
                IntStream.range(0, 50).mapToObj(i -> JobDraft.of(IDLE, json(String.valueOf(i)))).toList());
        drafts.add(keyed);

        SubmitResult submitted = control.submit(drafts);

        assertThat(submitted.jobs()).hasSize(51);
        assertThat(submitted.jobs().getLast())
                .isEqualTo(new SubmitResult.Accepted(first, true, SubmitEffect.UNCHANGED));
        assertThat(submitted.jobs().subList(0, 50)).noneMatch(SubmitResult.Accepted::duplicate);
        assertThat(control.job(submitted.jobs().get(7).id()).payload()).hasToString("7");
        assertThat(control.stats().jobs()).containsEntry(JobState.QUEUED, 51L);
    }

    @Test
    void doesWhatTheModeOfADedupeKeySays() {
        JobDraft keyed = JobDraft.of(IDLE, null).dedupeKey("mode").queue("paused");
        control.pauseQueue("paused");
        String first = submit(keyed.dedupe("replace"));

        SubmitResult second = control.submit(List.of(keyed.dedupe("debounce 10s max 1m").subject("new")));
        assertThat(second.jobs()).containsExactly(new SubmitResult.Accepted(first, true, SubmitEffect.DEBOUNCED));
        assertThat(control.job(first).job().subject()).isEqualTo("new");
        assertThat(control.job(first).job().dedupe()).isEqualTo("debounce 10s max 1m");

        SubmitResult third = control.submit(List.of(keyed.dedupe("supersede")));
        assertThat(third.jobs()).extracting(SubmitResult.Accepted::effect).containsExactly(SubmitEffect.SUPERSEDED);
        assertThat(control.job(first).job().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void refusesADedupeModeThatMakesNoSense() {
        JobDraft keyed = JobDraft.of(IDLE, null).dedupeKey("mode");
        assertThatThrownBy(() -> submit(JobDraft.of(IDLE, null).dedupe("replace")))
                .hasMessage("dedupe needs a dedupeKey: 'replace'");
        assertThatThrownBy(() -> submit(keyed.dedupe("within -1h")))
                .hasMessageStartingWith("dedupe must be 'while active', 'within 1h', 'replace'")
                .hasMessageEndingWith("'within -1h'");
        assertThatThrownBy(() -> submit(keyed.dedupe("debounce 10s max 5s")))
                .hasMessage("debounce must wait no longer than its max: it waits 10s, and max is 5s");
        assertThatThrownBy(() -> submit(keyed.dedupe("debounce 10s max 50s").delay(Duration.ofSeconds(1)))).hasMessage(
                "a job that is debounced cannot have a delay or a start time: debounce says when it starts");
    }

    @Test
    void createsOneJobForARepeatedDraft() {
        String id = JobId.next().toString();
        JobDraft draft = JobDraft.of(IDLE, null).id(id);

        SubmitResult first = control.submit(List.of(draft, draft));
        SubmitResult again = control.submit(List.of(draft));

        assertThat(first.jobs()).containsExactly(new SubmitResult.Accepted(id, false, SubmitEffect.CREATED),
                new SubmitResult.Accepted(id, true, SubmitEffect.UNCHANGED));
        assertThat(again.jobs()).containsExactly(new SubmitResult.Accepted(id, true, SubmitEffect.UNCHANGED));
        assertThat(control.stats().jobs()).containsEntry(JobState.QUEUED, 1L);
    }

    @Test
    void warnsOfATypeWithoutAHandler() {
        SubmitResult submitted = control.submit(List.of(JobDraft.of("ehco", null), JobDraft.of("echo", null)));

        assertThat(submitted.warnings()).singleElement().asString().contains("'ehco'")
                .contains("echo, fail, steps, gate");
    }

    @Test
    void warnsOfASessionThatTheTypeIgnores() {
        SubmitResult submitted = control.submit(List.of(session("fail"), session("echo"), session("fail")));

        assertThat(submitted.warnings())
                .containsExactly("job type 'fail' ignores sessions: its jobs run on any worker");
    }

    private static JobDraft session(String type) {
        return JobDraft.of(type, null).session("ada");
    }

    static List<Function<JobDraft, JobDraft>> invalidDrafts() {
        return List.of(
                d -> JobDraft.of(" ", null), d -> JobDraft.of("a\u0000b", null),
                d -> JobDraft.of("x".repeat(201), null),
                d -> JobDraft.of("\uD800", null), d -> d.id("nonsense"), d -> d.id("1-1-1-1-1"),
                d -> d.headers(Map.of("a\nb", "x")), d -> d.headers(Map.of("a", "x".repeat(1_001))),
                d -> d.headers(Collections.singletonMap("a", null)),
                d -> d.queue(""), d -> d.delay(Duration.ofSeconds(-1)),
                d -> d.delay(Duration.ofSeconds(1)).runAt(Instant.parse("2030-01-01T00:00:00Z")),
                d -> d.delay(Duration.ofDays(99_999_999)), d -> d.runAt(Instant.MAX),
                d -> d.runAt(Instant.parse("1969-12-31T23:59:59Z")), d -> d.maxRetries(-1),
                d -> d.timeout(Duration.ZERO), d -> d.parent("not an id"),
                d -> JobDraft.of(IDLE, json("\"" + "x".repeat(1 << 20) + "\"")),
                d -> JobDraft.of(IDLE, json("\"\\u0000\"")), d -> JobDraft.of(IDLE, json("[\"\\ud83d\"]")));
    }

    @ParameterizedTest
    @MethodSource("invalidDrafts")
    void refusesAllDraftsIfOneIsInvalid(Function<JobDraft, JobDraft> mistake) {
        JobDraft right = JobDraft.of(IDLE, null);

        assertRefused(Kind.INVALID, () -> control.submit(List.of(right, mistake.apply(right))));
        assertThat(control.stats().jobs()).isEmpty();
    }

    @Test
    void refusesAMissingParentAndAnEmptySubmission() {
        assertRefused(Kind.NOT_FOUND,
                () -> submit(JobDraft.of(IDLE, null).parent(JobId.next().toString())));
        assertRefused(Kind.INVALID, () -> control.submit(List.of()));
    }

    @Test
    void refusesJobsForAFullQueue() {
        JobDraft draft = JobDraft.of(IDLE, null).queue("small");
        control.submit(List.of(draft, draft));

        assertThat(assertRefused(Kind.FULL, () -> submit(draft))).hasMessageContaining("'small'");
    }

    @Test
    void listsByFilterAndPageByPage() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.addFirst(submit(JobDraft.of(IDLE, null).queue("q/ü").subject(i % 2 == 0 ? "even" : "odd")
                    .tags(Set.of("n" + i))));
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
    void refusesAnInvalidFilter() {
        assertRefused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.limit(0)));
        assertRefused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.limit(1_001)));
        assertRefused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.cursor("-1")));
        assertRefused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.cursor("next")));
        assertRefused(Kind.INVALID, () -> control.jobs(JobFilter.ALL.type("a\nb")));
        assertRefused(Kind.NOT_FOUND, () -> control.jobs(JobFilter.ALL.parent(JobId.next().toString())));
    }

    @Test
    void findsAJobByAPrefixOfItsId() {
        String one = submit(JobDraft.of(IDLE, null).id("01900000-0000-7000-8000-00000000aa00"));
        String two = submit(JobDraft.of(IDLE, null).id("01900000-0000-7000-8000-00000000ab00"));

        assertThat(control.job("01900000-0000-7000-8000-00000000aa").job().id()).isEqualTo(one);
        assertThat(control.job("0190000000007000800000000000AB").job().id()).isEqualTo(two);
        assertThat(control.cancel("01900000-0000-7000-8000-00000000ab", "no").id()).isEqualTo(two);
        assertThat(assertRefused(Kind.AMBIGUOUS, () -> control.job("0190"))).hasMessageContaining(one);
        assertRefused(Kind.NOT_FOUND, () -> control.job("0191"));
        assertRefused(Kind.NOT_FOUND, () -> control.job(JobId.next().toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz", "-", " ", "..%2f", "0190' OR 1=1", "01900000-0000-7000-8000-00000000aa0012"})
    void refusesInvalidIds(String id) {
        assertRefused(Kind.INVALID, () -> control.job(id));
        assertRefused(Kind.INVALID, () -> control.delete(id));
    }

    @Test
    void cancelsAJob() {
        String waiting = submit(IDLE);
        String runs = submitRunning();

        assertThat(control.cancel(waiting, "not needed")).satisfies(job -> {
            assertThat(job.state()).isEqualTo(JobState.CANCELLED);
            assertThat(job.reason()).isEqualTo("not needed");
        });
        assertThat(control.cancel(runs, "").state()).isEqualTo(JobState.CANCELLED);
        assertThat(control.await(runs, LONG).job().reason()).startsWith("cancelled by ");
        assertThat(control.cancel(waiting, "again").reason()).isEqualTo("not needed");
        String done = submit("echo");
        control.await(done, LONG);
        assertThat(assertRefused(Kind.CONFLICT, () -> control.cancel(done, "late"))).hasMessageContaining("COMPLETED");
        assertRefused(Kind.INVALID, () -> control.cancel(waiting, "a\u0007b"));
    }

    @Test
    void pausesAndResumesAJob() {
        String id = submit(IDLE);

        assertThat(control.pause(id, "later").state()).isEqualTo(JobState.PAUSED);
        assertThat(control.resume(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(control.job(id).history()).extracting(entry -> entry.to()).containsExactly(JobState.PAUSED,
                JobState.QUEUED);
        String dead = submitDeadLetter();
        assertRefused(Kind.CONFLICT, () -> control.pause(dead, ""));
        assertRefused(Kind.CONFLICT, () -> control.resume(dead));
    }

    @Test
    void deletesAJobUnlessANodeRunsIt() {
        String id = submit(IDLE);
        String runs = submitRunning();

        assertThat(control.delete(id).id()).isEqualTo(id);
        assertRefused(Kind.NOT_FOUND, () -> control.job(id));
        assertThat(assertRefused(Kind.CONFLICT, () -> control.delete(runs))).hasMessageContaining("cancel it first");
        assertThat(state(runs)).isEqualTo(JobState.RUNNING);
    }

    @Test
    void stopsWaitingAfterTheTimeout() {
        String id = submit(IDLE);

        assertThat(control.await(id, Duration.ofMillis(1)).job().state()).isEqualTo(JobState.QUEUED);
        assertRefused(Kind.INVALID, () -> control.await(id, Duration.ofSeconds(-1)));
        assertRefused(Kind.NOT_FOUND, () -> control.await(JobId.next().toString(), LONG));
    }

    @Test
    void returnsTheLogOfAJob() {
        String id = submitDeadLetter();
        Awaitility.await().atMost(LONG).until(() -> control.logs(id).ended());
        JobLog log = control.logs(id);

        assertThat(log.lines()).extracting(JobLog.Line::level).contains("INFO", "WARN", "ERROR");
        assertThat(log.lines()).extracting(JobLog.Line::text)
                .anyMatch(text -> text.startsWith("Submitted to queue 'default'"))
                .anyMatch(text -> text.startsWith("Failed (PERMANENT): permanent for the test\n"));
    }
}
