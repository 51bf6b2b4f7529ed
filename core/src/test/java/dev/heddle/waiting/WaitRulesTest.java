package dev.heddle.waiting;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Dedupe;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Phase;
import dev.heddle.limit.Limit;
import dev.heddle.limit.Rate;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Suspicion;
import dev.heddle.waiting.NodeStatus.BreakerStatus;
import dev.heddle.waiting.NodeStatus.Hold;
import dev.heddle.waiting.NodeStatus.TypeStatus;
import dev.heddle.waiting.WaitStore.Facts;
import dev.heddle.waiting.WaitStore.KeyUse;
import dev.heddle.worker.Health;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WaitRulesTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);
    private static final JobId ID = JobId.next();
    private static final JobId OTHER = JobId.next();
    private static final TypeStatus MAIL = type(null, 0, null, null, Map.of());

    private JobStatus status = new JobStatus.Queued();
    private Suspicion suspicion = Suspicion.NONE;
    private boolean queuePaused;
    private @Nullable Attempt lastAttempt;
    private @Nullable HistoryEntry lastChange;
    private List<KeyUse> limits = List.of();
    private @Nullable Binding binding;
    private int ahead;
    private int children;
    private @Nullable JobId behind;

    private static TypeStatus type(@Nullable Integer most, int claimed, @Nullable BreakerStatus breaker,
            @Nullable Hold hold, Map<String, Hold> tags) {
        return new TypeStatus("mail", "default", most, claimed, breaker, hold, tags);
    }

    private static NodeStatus open(TypeStatus... types) {
        return new NodeStatus(false, null, List.of(types));
    }

    private static LivingNode node(String id, @Nullable NodeStatus status, WorkerState... workers) {
        return new LivingNode(id, status, IntStream.range(0, workers.length)
                .mapToObj(i -> new WorkerSnapshot(id + "/default-" + (i + 1), "default", workers[i], Health.HEALTHY,
                        workers[i] == WorkerState.BUSY ? OTHER : null, NOW, 0, Map.of()))
                .toList());
    }

    private List<WaitReason> why(LivingNode... nodes) {
        JobSpec spec = new JobSpec(ID, "mail", "default", 0, "{}", NOW, new JobSpec.Extras(null, null, null, "anna",
                null, Set.of("blue"), null, Dedupe.whileActive(), false, Map.of(), List.of(), Map.of()));
        Job job = new Job(7, spec, Phase.INGEST, new Job.Counts(1, 1, 0), status, null);
        return WaitRules.explain(new Facts(job, NOW, suspicion, queuePaused, lastAttempt, lastChange, limits, binding,
                ahead, children, behind), List.of(nodes)).reasons();
    }

    private static LivingNode idle(String id) {
        return node(id, open(MAIL), WorkerState.READY);
    }

    @Test
    void endsAndRuns() {
        status = new JobStatus.Completed(null, NOW);
        assertThat(why()).containsExactly(new WaitReason.Ended(JobState.COMPLETED, NOW, null));
        status = new JobStatus.Failed("bad", NOW);
        assertThat(why()).containsExactly(new WaitReason.Ended(JobState.FAILED, NOW, "bad"));
        status = new JobStatus.Cancelled("no", NOW);
        assertThat(why()).containsExactly(new WaitReason.Ended(JobState.CANCELLED, NOW, "no"));
        status = new JobStatus.Cancelled("no", null, "a", NOW, NOW, null);
        assertThat(why(idle("a"))).containsExactly(new WaitReason.Stopping("a", "no"));
        status = new JobStatus.Running("a", NOW, NOW, null);
        assertThat(why(idle("a"))).containsExactly(new WaitReason.Running("a", NOW));
        status = new JobStatus.Paused("why not", LATER);
        assertThat(why(idle("a"))).containsExactly(new WaitReason.Paused("why not", LATER));
    }

    @Test
    void waitsForChildren() {
        status = new JobStatus.Waiting();
        children = 3;
        assertThat(why(idle("a"))).containsExactly(new WaitReason.ChildrenLeft(3, false));
        children = WaitStore.MOST_COUNTED + 1;
        assertThat(why(idle("a"))).containsExactly(new WaitReason.ChildrenLeft(WaitStore.MOST_COUNTED, true));
    }

    @Test
    void waitsForATime() {
        status = new JobStatus.Scheduled(LATER);
        assertThat(why(idle("a"))).containsExactly(new WaitReason.Scheduled(LATER));
        lastAttempt = attempt(Attempt.End.FAILED, 1);
        assertThat(why(idle("a"))).containsExactly(new WaitReason.RetryBackoff(LATER, 1, null));
        lastAttempt = attempt(Attempt.End.NODE_DIED, 1);
        lastChange = new HistoryEntry(JobState.RUNNING, JobState.SCHEDULED, "number 2 of 9", "b", NOW);
        assertThat(why(idle("a"))).containsExactly(new WaitReason.RecoveryStage(LATER, "number 2 of 9"));
        lastAttempt = attempt(Attempt.End.RESCHEDULED, 1);
        assertThat(why(idle("a"))).containsExactly(new WaitReason.Scheduled(LATER));
        lastAttempt = attempt(Attempt.End.FAILED, 1);
        lastChange = new HistoryEntry(JobState.SCHEDULED, JobState.SCHEDULED, "moved", "ann", NOW.plusMillis(1));
        assertThat(why(idle("a"))).as("a person chose the time").containsExactly(new WaitReason.Scheduled(LATER));
        queuePaused = true;
        assertThat(why(idle("a"))).containsExactly(new WaitReason.Scheduled(LATER),
                new WaitReason.QueuePaused("default"));
        status = new JobStatus.Scheduled(NOW);
        assertThat(why(idle("a"))).as("it is due").containsExactly(new WaitReason.QueuePaused("default"));
    }

    private static Attempt attempt(Attempt.End end, int number) {
        return new Attempt(number, "a", "a/default-1", NOW, NOW, NOW, end, null);
    }

    @Test
    void waitsForTheJobWithItsDedupeKey() {
        behind = OTHER;
        assertThat(why(idle("a"))).containsExactly(new WaitReason.BehindJob(OTHER));
        status = new JobStatus.Scheduled(LATER);
        assertThat(why(idle("a"))).containsExactly(new WaitReason.Scheduled(LATER), new WaitReason.BehindJob(OTHER));
    }

    @Test
    void needsANodeWithAHandler() {
        assertThat(why()).containsExactly(new WaitReason.NoNode());
        LivingNode stranger = node("b", open(new TypeStatus("fax", "default", null, 0, null, null, Map.of())),
                WorkerState.READY);
        assertThat(why(stranger)).singleElement().isInstanceOfSatisfying(WaitReason.NoHandler.class,
                reason -> assertThat(reason.nodes()).containsOnly(Map.entry("b", List.of("fax"))));
        assertThat(why(stranger, node("old", null))).containsExactly(new WaitReason.Unknown(List.of("old")));
        assertThat(why(stranger, idle("a"))).containsExactly(new WaitReason.Next(List.of("a"), 0, false));
    }

    @Test
    void waitsForAWorker() {
        ahead = 3;
        assertThat(why(node("a", open(MAIL), WorkerState.BUSY, WorkerState.BUSY, WorkerState.DEGRADED),
                node("b", open(MAIL), WorkerState.BUSY)))
                .containsExactly(new WaitReason.WorkersBusy(3, List.of("a", "b"), 3, false));
        ahead = WaitStore.MOST_COUNTED + 1;
        assertThat(why(node("a", open(MAIL), WorkerState.BUSY), idle("b")))
                .containsExactly(new WaitReason.Next(List.of("b"), WaitStore.MOST_COUNTED, true));
        assertThat(why(node("a", open(MAIL), WorkerState.TERMINATED)))
                .containsExactly(new WaitReason.NoWorker("default", 0, List.of("a")));
    }

    @Test
    void namesWhatHoldsItBackOnEachNodeOnlyIfNoneIsOpen() {
        Hold rain = new Hold("weather", "it rains");
        LivingNode closing = node("a", new NodeStatus(true, null, List.of(MAIL)), WorkerState.READY);
        LivingNode rainy = node("b", open(type(null, 0, null, rain, Map.of())), WorkerState.READY);
        LivingNode rainyToo = node("c", open(type(null, 0, null, null, Map.of("blue", rain))), WorkerState.READY);
        LivingNode broken = node("d", open(type(null, 0, new BreakerStatus(LATER), null, Map.of())),
                WorkerState.READY);
        LivingNode full = node("e", open(type(2, 2, null, null, Map.of())), WorkerState.READY);
        LivingNode careful = node("f", new NodeStatus(false, "one at a time", List.of(MAIL)), WorkerState.READY);

        assertThat(why(closing, rainy, rainyToo, broken, full, careful)).containsExactly(
                new WaitReason.NodeClosing(List.of("a")),
                new WaitReason.GateClosed("weather", "it rains", List.of("b", "c")),
                new WaitReason.BreakerOpen("mail", LATER, List.of("d")),
                new WaitReason.TypeFull("mail", 2, List.of("e")),
                new WaitReason.SuspectsFirst("one at a time", List.of("f")));
        LivingNode other = node("g", open(type(2, 1, null, null, Map.of("red", rain))), WorkerState.BUSY);
        assertThat(why(closing, rainy, broken, full, careful, other))
                .containsExactly(new WaitReason.WorkersBusy(1, List.of("g"), 0, false));
    }

    @Test
    void waitsForRoomUnderItsLimits() {
        LimitKey key = new LimitKey("two", "ann");
        Limit two = Limit.named("two").maxConcurrent(2);
        limits = List.of(new KeyUse(key, two, 2, List.of(OTHER, ID), 0));
        assertThat(why(idle("a"))).containsExactly(new WaitReason.LimitFull(key, 2, 2, List.of(OTHER, ID)));
        limits = List.of(new KeyUse(key, two, 1, List.of(OTHER), 0));
        assertThat(why(idle("a"))).containsExactly(new WaitReason.Next(List.of("a"), 0, false));

        Rate rate = new Rate(1, Duration.ofMinutes(1), 1);
        Limit slow = Limit.named("two").rate(1, Duration.ofMinutes(1)).burst(1);
        long taken = rate.take(0, NOW.getEpochSecond() * 1_000_000_000, 1);
        limits = List.of(new KeyUse(key, slow, 0, List.of(), taken));
        assertThat(why(idle("a"))).containsExactly(new WaitReason.RateUsedUp(key, rate, LATER));
    }

    @Test
    void waitsForTheWorkerOfItsSession() {
        LivingNode busy = node("a", open(MAIL), WorkerState.BUSY, WorkerState.READY);
        binding = new Binding("mail", "anna", "a/default-1", "a", true, NOW, NOW, 0, false);
        assertThat(why(busy)).containsExactly(new WaitReason.SessionBusy("anna", "a/default-1", "a", OTHER));
        status = new JobStatus.Assigned("a", NOW);
        assertThat(why(busy)).containsExactly(new WaitReason.SessionBusy("anna", "a/default-1", "a", OTHER),
                new WaitReason.Claimed("a", NOW));
        status = new JobStatus.Queued();
        binding = new Binding("mail", "anna", "a/default-2", "a", true, NOW, NOW, 6, false);
        assertThat(why(busy)).containsExactly(new WaitReason.Next(List.of("a"), 0, false));
        binding = new Binding("mail", "anna", null, "a", true, NOW, NOW, 7, false);
        assertThat(why(busy)).containsExactly(new WaitReason.SessionLost("anna"));
    }

    @Test
    void startsSuspectsWithCare() {
        suspicion = new Suspicion(true, 2, 3, Duration.ZERO, 0);
        assertThat(why(idle("a"))).containsExactly(new WaitReason.Suspect(3, 2),
                new WaitReason.Next(List.of("a"), 0, false));
        suspicion = Suspicion.NONE.suspected();
        LivingNode careful = node("f", new NodeStatus(false, "one at a time", List.of(MAIL)), WorkerState.READY);
        assertThat(why(careful)).containsExactly(new WaitReason.SuspectsFirst("one at a time", List.of("f")),
                new WaitReason.Suspect(0, null));
        status = new JobStatus.Assigned("f", NOW);
        assertThat(why(careful)).containsExactly(new WaitReason.SuspectsFirst("one at a time", List.of("f")),
                new WaitReason.Suspect(0, null), new WaitReason.Claimed("f", NOW));
    }

    @Test
    void readsWhatNodesPublish() {
        NodeStatus status = new NodeStatus(true, "why", List.of(type(2, 1, new BreakerStatus(NOW),
                new Hold("budget", "used up"), Map.of("blue", new Hold("weather", "rain"))), MAIL));
        assertThat(NodeStatus.read(status.toJson())).contains(status);
        assertThat(NodeStatus.read("{}")).isEmpty();
        assertThat(NodeStatus.read("no json")).isEmpty();
        assertThat(NodeStatus.read("{\"closing\":false,\"newer\":1}")).contains(open());
    }

    @Test
    void writesSentences() {
        assertThat(new WaitReason.NodeClosing(List.of("a")).text())
                .isEqualTo("On node a, nothing more starts: it is closing.");
        assertThat(new WaitReason.NodeClosing(List.of("a", "b", "c", "d", "e", "f", "g")).text())
                .isEqualTo("On nodes a, b, c, d, e and 2 more, nothing more starts: they are closing.");
        assertThat(new WaitReason.WorkersBusy(4, List.of("a", "b"), 1_000, true).text()).isEqualTo(
                "All 4 workers of nodes a and b are busy, and more than 1000 jobs of its queue and type are ahead of it.");
        assertThat(new WaitReason.Next(List.of("a"), 0, false).text())
                .isEqualTo("Nothing holds it back: node a has a free worker and will claim it within moments.");
        assertThat(new WaitReason.BreakerOpen("mail", LATER, List.of("a")).text()).isEqualTo(
                "On node a, the circuit breaker of type 'mail' is open, because its last jobs failed; one job may try at 2026-03-01T12:01:00Z.");
        assertThat(new WaitReason.RetryBackoff(LATER, 2, "down").text()).isEqualTo(
                "It failed twice and is tried again at 2026-03-01T12:01:00Z; the last failure was: down.");
        assertThat(new WaitReason.ChildrenLeft(1, false).text())
                .isEqualTo("It waits for its children, of which 1 has not ended.");
    }
}
