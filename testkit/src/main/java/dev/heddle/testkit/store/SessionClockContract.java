package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.Fence;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.BindRequest;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.SessionStore.Release;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a job with a session was submitted, and how long a session was unused. The clock of the store decides both, so
 * they stay the same if the clock of the node is set.
 */
abstract class SessionClockContract extends StoreFixture {

    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final String WORKER = "node-1/embed-1";

    private Duration nodeIsAhead = Duration.ZERO;

    SessionClockContract(StoreContract contract) {
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

    /** Returns the time that the clock of the node shows. */
    private Instant nodeNow() {
        return T0.plus(clock.elapsed()).plus(nodeIsAhead);
    }

    private JobDraft withSession() {
        return JobDraft.of("embed").createdAt(nodeNow()).session("anna");
    }

    private Claim claimNow() {
        List<Claim> claims = store
                .claim(new ClaimRequest(node, nodeNow(), clock.elapsed(), 1, List.of(any("embed")))).claims();
        assertThat(claims).hasSize(1);
        return claims.getFirst();
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void knowsWhenAJobWasSubmittedIfTheClockOfTheNodeIsSet(Duration jump) {
        clock.advance(Duration.ofSeconds(1));
        insert(withSession());
        clock.advance(Duration.ofSeconds(4));

        setClockOfNode(jump);
        clock.advance(Duration.ofSeconds(2));

        assertThat(claimNow().submitted()).isEqualTo(Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void knowsWhenAJobWasSubmittedIfTheClockOfTheNodeWasSetBefore(Duration jump) {
        clock.advance(Duration.ofSeconds(1));
        setClockOfNode(jump);

        insert(withSession());
        clock.advance(Duration.ofSeconds(4));

        assertThat(claimNow().submitted()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void countsTheSubmissionOfAJobThroughItsRetries() {
        clock.advance(Duration.ofSeconds(1));
        JobDraft draft = withSession();
        insert(draft);
        Fence fence = claimNow().fence();
        clock.advance(Duration.ofSeconds(2));
        applied(ended(fence, Attempt.End.FAILED, new Transition.Retry(Duration.ofSeconds(3), "Retry 1/2")));
        clock.advance(Duration.ofSeconds(3));

        assertThat(claimNow().submitted()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void countsTheSubmissionOfADeadLetterFromItsRetryByHand() {
        JobDraft draft = withSession();
        insert(draft);
        applied(ended(claimNow().fence(), Attempt.End.FAILED, new Transition.Fail("dead")));
        clock.advance(Duration.ofHours(2));

        store.execute(new AdminCommand.Retry(draft.id(), ACTOR, nodeNow()));
        clock.advance(Duration.ofSeconds(4));

        assertThat(claimNow().submitted()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void doesNotTellOfJobsWithoutASession() {
        insert(JobDraft.of("embed"));
        insert(JobDraft.of("embed").subject("order-7"));

        assertThat(claimNow().submitted()).isNull();
        assertThat(claimNow().submitted()).isNull();
    }

    @ParameterizedTest
    @MethodSource("jumps")
    void expiresASessionThatWasNotUsedForSoLongIfTheClockOfTheNodeIsSet(Duration jump) {
        SessionStore sessions = capability(SessionStore.class);
        List<Binding> bound = sessions.bind(List.of(new BindRequest("embed", "anna", 1, WORKER, node, true),
                new BindRequest("embed", "bert", 2, WORKER, node, true)));
        clock.advance(Duration.ofMinutes(1));
        sessions.touch(List.of(bound.getFirst()));

        setClockOfNode(jump);

        clock.advance(IDLE.minusMinutes(1));
        assertThat(sessions.release(new Release.Idle(node, IDLE))).as("not early").isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(sessions.release(new Release.Idle(node, IDLE))).as("not late").extracting(Binding::session)
                .containsExactly("bert");
        clock.advance(Duration.ofMinutes(1));
        assertThat(sessions.release(new Release.Idle(node, IDLE))).extracting(Binding::session)
                .containsExactly("anna");
    }

    @Test
    void keepsJobsThatWereSubmittedBeforeTheirStoreWasReopened() {
        clock.advance(Duration.ofSeconds(1));
        JobId id = insert(withSession());
        restart(T0);
        clock.advance(Duration.ofSeconds(4));

        Claim claim = claimNow();

        assertThat(claim.job().id()).isEqualTo(id);
        assertThat(claim.submitted()).isEqualTo(Duration.ofSeconds(1));
    }
}
