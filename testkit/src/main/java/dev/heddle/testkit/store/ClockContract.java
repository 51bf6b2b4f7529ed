package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;
import java.util.stream.Stream;

import dev.heddle.env.TimeOfDay;
import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.Fence;
import dev.heddle.store.Renewal;
import dev.heddle.store.StoreListener;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The clock that says when jobs are due. It may be that of the node's machine, which can be set, or that of a server, in
 * which case the clock of the node does not matter. In both cases a job that waits for some time to pass waits exactly
 * so long, and a job that waits for a time of day starts then.
 */
abstract class ClockContract extends StoreFixture {

    private static final Duration DELAY = Duration.ofSeconds(10);

    private Duration nodeIsAhead = Duration.ZERO;

    ClockContract(StoreContract contract) {
        super(contract);
    }

    /** Returns jumps of the clock of a node's machine. */
    static Stream<Duration> jumps() {
        return Stream.of(Duration.ofHours(1), Duration.ofHours(-1), Duration.ofSeconds(2), Duration.ofDays(-400));
    }

    /** Sets the clock of the node's machine. Only a store without a clock of its own goes by it. */
    private void setClockOfNode(Duration by) {
        nodeIsAhead = nodeIsAhead.plus(by);
        if (store.capability(ClockedStore.class).isPresent()) {
            clock.jump(by);
        }
    }

    /** Claims with the time that the clock of the node shows. */
    private ClaimResult claimNow() {
        return store.claim(new ClaimRequest(node, nodeNow(), 9, List.of(any("mail"), suspects("mail"))));
    }

    private void waitsExactly(JobId id, Duration left) {
        ClaimResult early = claimNow();
        assertThat(early.claims()).isEmpty();
        assertThat(early.untilDue()).isEqualTo(left);
        clock.advance(left.minusMillis(1));
        assertThat(claimNow().claims()).as("not early").isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(ids(claimNow())).as("not late").containsExactly(id);
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void keepsTheRestOfADelayIfTheClockOfTheNodeIsSet(Duration jump) {
        JobId id = insert(JobDraft.of("mail").delay(DELAY));
        clock.advance(Duration.ofSeconds(4));

        setClockOfNode(jump);

        waitsExactly(id, Duration.ofSeconds(6));
    }

    @Test
    void startsNoMoreThanIsDue() {
        JobId first = insert(JobDraft.of("mail").delay(DELAY));
        JobId next = insert(JobDraft.of("mail").delay(DELAY.plusMillis(1)));
        clock.advance(DELAY);

        assertThat(ids(claimNow())).containsExactly(first);
        assertThat(job(next).state()).isEqualTo(JobState.SCHEDULED);
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void countsADelayFromASubmitAfterTheClockOfTheNodeWasSet(Duration jump) {
        setClockOfNode(jump);

        JobId id = insert(JobDraft.of("mail").createdAt(T0.plus(jump)).delay(DELAY));

        waitsExactly(id, DELAY);
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void keepsTheRestOfTheWaitForARetryIfTheClockOfTheNodeIsSet(Duration jump) {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        applied(ended(fence, Attempt.End.FAILED, new Transition.Retry(DELAY, "Retry 1/2")));

        setClockOfNode(jump);

        waitsExactly(draft.id(), DELAY);
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void countsARetryFromTheFailureIfTheClockOfTheNodeWasSetBefore(Duration jump) {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        setClockOfNode(jump);

        applied(ended(fence, Attempt.End.FAILED, new Transition.Retry(DELAY, "Retry 1/2"), at(2).plus(jump)));

        waitsExactly(draft.id(), DELAY);
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void keepsTheRestOfAStagedRestartIfTheClockOfTheNodeIsSet(Duration jump) {
        JobDraft draft = JobDraft.of("mail");
        running(draft);
        crash(new Transition.Retry(DELAY, "staged"), false, at(0));

        setClockOfNode(jump);

        waitsExactly(draft.id(), DELAY);
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void keepsTheRestOfADelayIfTheClockOfTheNodeIsSetWhileTheJobIsPaused(Duration jump) {
        JobId id = insert(JobDraft.of("mail").delay(DELAY));
        store.execute(pause(id));

        setClockOfNode(jump);

        store.execute(new AdminCommand.Resume(id, ACTOR, at(6).plus(jump)));
        assertThat(job(id).state()).isEqualTo(JobState.SCHEDULED);
        waitsExactly(id, DELAY);
    }

    /** Returns the time that the clock of the node shows. */
    private Instant nodeNow() {
        return T0.plus(clock.elapsed()).plus(nodeIsAhead);
    }

    private void reserve(Fence attempt) {
        assertThat(capability(AdoptionStore.class).reserve(attempt, new Reservation("loom", "boot-1", DELAY))).isTrue();
    }

    private Set<String> nodesToRecover() {
        return switch (store.renew(record(NEXT_NODE, T0, nodeNow()))) {
            case Renewal.SingleNode(_, var expired) -> expired;
            case Renewal.Renewed(_, var expired) -> expired;
            case Renewal.Dead() -> throw new AssertionError("declared dead");
        };
    }

    private List<JobId> recovered() {
        return store.recover(NEXT_NODE, all(new Transition.Requeue("node died"), false), nodeNow()).stream()
                .map(recovery -> recovery.orphan().job().id()).toList();
    }

    private void isReservedExactly(JobId id, Duration left) {
        assertThat(recovered()).isEmpty();
        clock.advance(left.minusMillis(1));
        assertThat(nodesToRecover()).as("not early").isEmpty();
        assertThat(recovered()).as("not early").isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(nodesToRecover()).as("not late").containsExactly(NODE);
        assertThat(recovered()).as("not late").containsExactly(id);
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void keepsTheRestOfAReservationIfTheClockOfTheNodeIsSet(Duration jump) {
        JobDraft draft = JobDraft.of("mail");
        reserve(running(draft));
        restart(T0);
        clock.advance(Duration.ofSeconds(4));

        setClockOfNode(jump);

        isReservedExactly(draft.id(), Duration.ofSeconds(6));
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void countsAReservationFromItsWriteIfTheClockOfTheNodeWasSetBefore(Duration jump) {
        JobDraft draft = JobDraft.of("mail");
        Fence fence = running(draft);
        setClockOfNode(jump);
        reserve(fence);
        restart(T0);

        isReservedExactly(draft.id(), DELAY);
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void tellsTheRestOfAReservationWithTheAdoption(Duration jump) {
        Fence fence = running(JobDraft.of("mail"));
        reserve(fence);
        restart(T0);
        clock.advance(Duration.ofSeconds(4));

        setClockOfNode(jump);

        assertThat(capability(AdoptionStore.class).adopt(List.of(fence), NEXT_NODE, nodeNow()))
                .extracting(ClaimResult.Claim::reserved).containsExactly(Duration.ofSeconds(6));
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void startsAJobAtTheTimeOfDayThatWasNamed(Duration jump) {
        Instant named = T0.plus(jump.abs()).plus(DELAY);
        JobId id = insert(JobDraft.of("mail").due(named));

        setClockOfNode(jump);

        claimNow();
        assertThat(job(id).dueAt()).contains(named);
        waitsExactly(id, Duration.between(clock.instant(), named));
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void keepsTheRestOfADelayIfTheFirstTransactionAfterTheJumpFails(Duration jump) {
        JobDraft lost = JobDraft.of("fax");
        JobId id = insert(JobDraft.of("mail").delay(DELAY));
        running(lost);
        restart(T0);
        setClockOfNode(jump);

        assertThatThrownBy(() -> store.recover(NEXT_NODE, _ -> {
            throw new IllegalStateException("no plan");
        }, T0)).isInstanceOf(RuntimeException.class);

        waitsExactly(id, DELAY);
    }

    @Test
    void tellsItsListenerOnceThatTheClockWasSet() {
        capability(ClockedStore.class);
        List<String> jumps = new ArrayList<>();
        restart(T0, new StoreListener() {
            @Override
            public void workAvailable() {}

            @Override
            public void jobsChanged() {}

            @Override
            public void notificationsReliable(boolean reliable) {}

            @Override
            public void clockJumped(Duration jump, int moved) {
                jumps.add(jump + " " + moved);
            }
        });
        insert(JobDraft.of("mail").delay(DELAY));
        store.execute(pause(insert(JobDraft.of("mail").delay(DELAY))));
        insert(JobDraft.of("mail").due(at(10)));
        insert(JobDraft.of("mail"));
        clock.advance(Duration.ofHours(2));
        insert(JobDraft.of("mail").delay(DELAY));
        clock.jump(TimeOfDay.TOLERANCE.minusMillis(1));
        claimNow();
        assertThat(jumps).as("time has passed, and the clock is not exact").isEmpty();
        insert(JobDraft.of("mail").delay(DELAY));

        clock.jump(Duration.ofHours(-1));
        claimNow();
        claimNow();

        assertThat(jumps).containsExactly("PT-1H 3");
    }

    @Test
    void movesNothingForJobsThatMayRunAtOnce() {
        JobId id = insert(JobDraft.of("mail").delay(Duration.ZERO));
        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);

        setClockOfNode(Duration.ofHours(1));

        assertThat(job(id).dueAt()).isEmpty();
        assertThat(ids(claimNow())).containsExactly(id);
    }

    /** In the last two, clocks go forward or back within the day that the job waits. */
    @ParameterizedTest
    @CsvSource({"Pacific/Chatham, 2026-03-28T12:00:00Z", "Europe/Berlin, 2026-03-28T12:00:00Z",
        "America/New_York, 2026-10-31T12:00:00Z"})
    void waitsAsLongInEveryTimeZone(String zone, Instant submitted) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
            // Sessions of a server that begin now are in that zone, too.
            restart(T0);
            passUntil(submitted);
            JobId named = insert(JobDraft.of("mail").createdAt(submitted).due(submitted.plus(Duration.ofDays(1))));
            JobId delayed = insert(JobDraft.of("mail").createdAt(submitted).delay(Duration.ofDays(1)));
            JobDraft failing = JobDraft.of("fax");
            applied(ended(running(failing), Attempt.End.FAILED, new Transition.Retry(Duration.ofDays(1), "Retry 1/2")));

            for (JobId id : List.of(named, delayed, failing.id())) {
                assertThat(job(id).dueAt()).contains(submitted.plus(Duration.ofDays(1)));
            }
            assertThat(claimNow().untilDue()).isEqualTo(Duration.ofDays(1));
            clock.advance(Duration.ofDays(1).minusMillis(1));
            assertThat(claimNow().claims()).isEmpty();
            clock.advance(Duration.ofMillis(1));
            assertThat(ids(claimNow())).containsExactly(named, delayed);
        } finally {
            TimeZone.setDefault(before);
        }
    }
}
