package dev.heddle.testkit.pool;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.Affinity;
import dev.heddle.job.BreakerPolicy;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.LimitKey;
import dev.heddle.job.RetryPolicy;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.limit.Rate;
import dev.heddle.pool.Gate;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.Staging;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.store.Suspicion;
import dev.heddle.testkit.CrashedNode;
import dev.heddle.waiting.Explainer;
import dev.heddle.waiting.JobExplanation;
import dev.heddle.waiting.WaitReason;
import dev.heddle.waiting.WaitStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Why a job does not run, as a pool explains it: each reason on this node, and what is known of other nodes. */
abstract class ExplanationContract extends PoolFixture {

    private static final JobType<Note, String> OTHER = JobType.of("other", Note.class, String.class);

    private final CountDownLatch go = new CountDownLatch(1);

    ExplanationContract(PoolContract contract) {
        super(contract);
    }

    @AfterEach
    void letHandlersEnd() {
        go.countDown();
    }

    private PoolBuilder holding(PoolBuilder builder, JobType<Note, String> type) {
        return steered(builder).workers(1).register(type, (note, job) -> {
            go.await();
            return "done";
        });
    }

    private Store explainable() {
        return newStoreWith(WaitStore.class);
    }

    private PoolBuilder onNew() {
        return quick(Pool.on(explainable()));
    }

    private JobExplanation why(JobId id) {
        return pool().admin().why(id);
    }

    private <T extends WaitReason> T awaitReason(JobId id, Class<T> type) {
        await().until(() -> type.isInstance(why(id).main()));
        return type.cast(why(id).main());
    }

    private JobHandle<String> submitRunning() {
        JobHandle<String> handle = submit("running");
        await().until(() -> state(handle) == JobState.RUNNING);
        return handle;
    }

    private String here() {
        return pool().admin().nodeId();
    }

    @Test
    void tellsTheTruthAboutJobsThatDoNotWait() throws Exception {
        open(holding(onNew(), NOTE));
        JobHandle<String> running = submitRunning();
        assertThat(why(running.id()).main()).isInstanceOfSatisfying(WaitReason.Running.class,
                reason -> assertThat(reason.node()).isEqualTo(here()));
        JobHandle<String> paused = submit("paused");
        pool().admin().pause(paused.id(), "not now");
        assertThat(why(paused.id()).reasons()).containsExactly(new WaitReason.Paused("not now", null));
        JobHandle<String> cancelled = submit("cancelled");
        pool().admin().cancel(cancelled.id(), "wrong one");
        assertThat(why(cancelled.id()).toString()).isEqualTo(
                "It was cancelled at " + clock.instant() + " (wrong one).");
        go.countDown();
        running.await(LONG);
        assertThat(why(running.id()).reasons())
                .containsExactly(new WaitReason.Ended(JobState.COMPLETED, clock.instant(), null));
        assertThatThrownBy(() -> why(JobId.next())).isInstanceOf(NoSuchJobException.class);
    }

    @Test
    void countsTheJobsAhead() {
        open(holding(onNew(), NOTE));
        submitRunning();
        submit("first");
        submit("second");
        JobHandle<String> urgent = pool().submit(NOTE.with(new Note("urgent")).priority(1));
        JobHandle<String> last = submit("last");
        pool().submit(NOTE.with(new Note("elsewhere")).queue("elsewhere").priority(9));

        assertThat(why(last.id()).reasons())
                .containsExactly(new WaitReason.WorkersBusy(1, List.of(here()), 3, false));
        assertThat(why(urgent.id()).reasons())
                .containsExactly(new WaitReason.WorkersBusy(1, List.of(here()), 0, false));
        assertThat(why(last.id()).toString()).isEqualTo("The only worker of node " + here()
                + " is busy, and 3 jobs of its queue and type are ahead of it.");
    }

    @Test
    void namesAPausedQueue() {
        open(holding(onNew(), NOTE));
        pool().admin().pauseQueue("default");
        JobHandle<String> held = submit("held");
        assertThat(why(held.id()).reasons()).containsExactly(new WaitReason.QueuePaused("default"));
        JobHandle<String> later = pool().submit(NOTE.with(new Note("later")).delay(Duration.ofHours(1)));
        assertThat(why(later.id()).reasons()).containsExactly(
                new WaitReason.Scheduled(clock.instant().plusSeconds(3600)), new WaitReason.QueuePaused("default"));
    }

    @Test
    void namesTheTypesThatTheNodesHave() {
        Store store = explainable();
        JobId stranger = new CrashedNode(store, "stranger", clock.instant()).queued(1).getFirst();
        open(holding(quick(Pool.on(store)), NOTE).register(OTHER, (note, job) -> ""));
        assertThat(why(stranger).reasons()).singleElement().isInstanceOfSatisfying(WaitReason.NoHandler.class,
                reason -> assertThat(reason.nodes()).containsEntry(here(), List.of("note", "other")));
        assertThat(why(stranger).toString())
                .isEqualTo("No node has a handler for type 'stranger'; node " + here() + " has note and other.");
    }

    @Test
    void saysWhenAFailedJobIsTriedAgain() {
        open(steered(onNew()).retry(RetryPolicy.linear(2, Duration.ofMinutes(1))).register(NOTE, (note, job) -> {
            throw new IOException("no connection");
        }));
        Instant submitted = clock.instant();
        JobHandle<String> failing = submit("failing");
        WaitReason.RetryBackoff backoff = awaitReason(failing.id(), WaitReason.RetryBackoff.class);
        assertThat(backoff.failures()).isOne();
        assertThat(backoff.error()).contains("no connection");
        assertThat(backoff.at()).isAfter(submitted);

        clock.advance(Duration.ofMillis(1));
        pool().admin().reschedule(failing.id(), submitted.plus(Duration.ofDays(1)));
        assertThat(why(failing.id()).reasons())
                .containsExactly(new WaitReason.Scheduled(submitted.plus(Duration.ofDays(1))));
    }

    @Test
    void saysWhoHoldsALimit() {
        open(holding(quick(Pool.on(newStoreWith(LimitStore.class))), NOTE).workers(4));
        pool().admin().setLimit(Limit.named("one").key("$.text").maxConcurrent(1));
        JobHandle<String> holder = submitRunning();
        JobHandle<String> held = submit("running");
        assertThat(why(held.id()).reasons()).containsExactly(
                new WaitReason.LimitFull(new LimitKey("one", "running"), 1, 1, List.of(holder.id())));
        assertThat(why(held.id()).toString()).isEqualTo(
                "Limit 'one' is full for key 'running': 1 of 1 job runs: " + holder.id() + ".");
    }

    @Test
    void saysWhenARateAdmitsTheNextJob() {
        open(holding(quick(Pool.on(newStoreWith(LimitStore.class))), NOTE).workers(4));
        pool().admin().setLimit(Limit.named("slow").ofType("note").rate(1, Duration.ofMinutes(1)).burst(1));
        Instant started = clock.instant();
        submitRunning();
        JobHandle<String> held = submit("held");
        assertThat(why(held.id()).reasons())
                .containsExactly(new WaitReason.RateUsedUp(new LimitKey("slow", LimitKey.ALL),
                        new Rate(1, Duration.ofMinutes(1), 1), started.plusSeconds(60)));
    }

    /** Closed for jobs with the tag {@code blue}, and for all of the other type. */
    private static final class WeatherGate implements Gate {
        @Override
        public String name() {
            return "weather";
        }

        @Override
        public Optional<String> holdReason(String type) {
            return type.equals("other") ? Optional.of("it rains") : Optional.empty();
        }

        @Override
        public Map<String, String> heldTags(String type) {
            return Map.of("blue", "the sky is grey");
        }
    }

    @Test
    void namesTheGateThatIsClosed() {
        open(holding(onNew(), NOTE).gate(new WeatherGate()).register(OTHER, (note, job) -> ""));
        JobHandle<String> other = pool().submit(OTHER, new Note("x"));
        JobHandle<String> blue = pool().submit(NOTE.with(new Note("x")).tags("red", "blue"));
        assertThat(why(other.id()).reasons())
                .containsExactly(new WaitReason.GateClosed("weather", "it rains", List.of(here())));
        assertThat(why(blue.id()).reasons())
                .containsExactly(new WaitReason.GateClosed("weather", "the sky is grey", List.of(here())));
    }

    @Test
    void saysUntilWhenABreakerIsOpen() {
        Instant opened = clock.instant();
        openFailing(onNew());
        JobHandle<String> held = submit("held");
        assertThat(awaitReason(held.id(), WaitReason.BreakerOpen.class))
                .isEqualTo(new WaitReason.BreakerOpen("note", opened.plusSeconds(30), List.of(here())));
    }

    private void openFailing(PoolBuilder builder) {
        open(steered(builder).register(
                NOTE.breaker(new BreakerPolicy(1, Duration.ofSeconds(30))).retry(RetryPolicy.none()), (note, job) -> {
                    throw new IOException("down");
                }));
        end(submit("fails"));
    }

    @Test
    void saysHowManyOfATypeMayRunOnANode() {
        open(holding(onNew(), NOTE.maxConcurrentPerNode(1)).workers(4));
        submitRunning();
        JobHandle<String> held = submit("held");
        assertThat(why(held.id()).reasons())
                .containsExactly(new WaitReason.TypeFull("note", 1, List.of(here())));
    }

    @Test
    void saysWhichWorkerHasTheSessionAndWhatItRuns() {
        JobType<Note, String> chat = NOTE.group("chat").affinity(Affinity.STRICT_QUEUE);
        open(holding(quick(Pool.on(newStoreWith(SessionStore.class))).group("chat", 2), chat));
        JobHandle<String> first = pool().session("anna").submit(chat, new Note("first"));
        await().until(() -> state(first) == JobState.RUNNING);
        JobHandle<String> second = pool().session("anna").submit(chat, new Note("second"));
        WaitReason.SessionBusy busy = awaitReason(second.id(), WaitReason.SessionBusy.class);
        assertThat(busy.session()).isEqualTo("anna");
        assertThat(busy.node()).isEqualTo(here());
        assertThat(busy.job()).isEqualTo(first.id());
    }

    @Test
    void saysWhenAJobOfADeadNodeStartsAgain() {
        Store store = explainable();
        List<JobId> ran = new CrashedNode(store, NOTE.name(), clock.instant()).running(2);
        open(holding(on(store).staging(new Staging(1, 1, Duration.ofMinutes(5), Duration.ofMinutes(10))), NOTE));
        WaitReason.RecoveryStage stage = awaitReason(ran.getLast(), WaitReason.RecoveryStage.class);
        assertThat(stage.at()).isEqualTo(clock.instant().plus(Duration.ofMinutes(5)));
        assertThat(stage.why()).contains("number 2 of 2");
    }

    @Test
    void saysThatSuspectsStartFewAtATime() {
        Store store = explainable();
        List<JobId> suspects = new CrashedNode(store, NOTE.name(), clock.instant()).suspects(2,
                new Suspicion(true, 1, 2, Duration.ZERO, 0));
        open(holding(on(store), NOTE).workers(4));
        await().until(() -> state(suspects.getFirst()) == JobState.RUNNING);
        JobHandle<String> fresh = submit("fresh");

        assertThat(why(fresh.id()).main()).isInstanceOfSatisfying(WaitReason.SuspectsFirst.class,
                reason -> assertThat(reason.why()).contains("1 job starts here at a time"));
        assertThat(why(suspects.getLast()).reasons()).hasSize(2).endsWith(new WaitReason.Suspect(2, 1));
    }

    /** Opens another node, which has a handler only for the other type. */
    private Pool openAnother() {
        assumeTrue(isShared(), "there are no other nodes");
        return holding(quick(Pool.on(openAgain())), OTHER).lease(Duration.ofSeconds(30))
                .renewEvery(Duration.ofMillis(100)).open();
    }

    private <T extends WaitReason> T awaitReason(Pool asked, JobId id, Class<T> type) {
        await().until(() -> asked.admin().why(id).reasons().stream().anyMatch(type::isInstance));
        return asked.admin().why(id).reasons().stream().filter(type::isInstance).map(type::cast).findFirst()
                .orElseThrow();
    }

    private PoolBuilder renewing() {
        return onNew().lease(Duration.ofSeconds(30)).renewEvery(Duration.ofMillis(100));
    }

    @Test
    void knowsWhatOtherNodesHoldBack() {
        openFailing(renewing().gate(new WeatherGate()));
        JobHandle<String> held = submit("held");
        JobHandle<String> blue = pool().submit(NOTE.with(new Note("x")).tags("blue"));
        try (Pool another = openAnother()) {
            assertThat(awaitReason(another, held.id(), WaitReason.BreakerOpen.class).nodes())
                    .containsExactly(here());
            assertThat(awaitReason(another, blue.id(), WaitReason.GateClosed.class))
                    .isEqualTo(new WaitReason.GateClosed("weather", "the sky is grey", List.of(here())));
        }
    }

    @Test
    void knowsTheTypesAndWorkersOfOtherNodes() {
        open(holding(renewing(), NOTE));
        submitRunning();
        JobHandle<String> held = submit("held");
        try (Pool another = openAnother()) {
            assertThat(awaitReason(another, held.id(), WaitReason.WorkersBusy.class))
                    .isEqualTo(new WaitReason.WorkersBusy(1, List.of(here()), 0, false));
            JobId stranger = another.submit(JobType.of("stranger", Note.class, String.class), new Note("x")).id();
            assertThat(awaitReason(another, stranger, WaitReason.NoHandler.class).nodes())
                    .containsEntry(here(), List.of("note"))
                    .containsEntry(another.admin().nodeId(), List.of("other"));
            go.countDown();
        }
    }

    @Test
    void knowsThatAnotherNodeIsClosing() {
        open(holding(renewing(), OTHER));
        try (Pool another = holding(quick(Pool.on(sharedAgain())), NOTE).lease(Duration.ofSeconds(30))
                .renewEvery(Duration.ofMillis(100)).open()) {
            JobHandle<String> running = submitRunning();
            CompletableFuture<?> closing = CompletableFuture.runAsync(() -> another.drain(LONG));
            JobHandle<String> held = submit("held");
            assertThat(awaitReason(pool(), held.id(), WaitReason.NodeClosing.class).nodes())
                    .containsExactly(another.admin().nodeId());
            assertThat(state(running)).isEqualTo(JobState.RUNNING);
            go.countDown();
            closing.join();
        }
    }

    private Store sharedAgain() {
        assumeTrue(isShared(), "there are no other nodes");
        return openAgain();
    }

    @Test
    void knowsThatNoNodeRuns() {
        Store store = explainable();
        try (store) {
            JobId lonely = new CrashedNode(store, NOTE.name(), clock.instant()).queued(1).getFirst();
            assertThat(Explainer.explain(store, lonely, Optional.empty()).orElseThrow().reasons())
                    .containsExactly(new WaitReason.NoNode());
        }
    }
}
