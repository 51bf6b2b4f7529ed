package dev.heddle.engine.session;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.testing.ManualClock;
import dev.heddle.engine.testing.Samples;
import dev.heddle.env.Environment;
import dev.heddle.job.Affinity;
import dev.heddle.job.JobType;
import dev.heddle.memory.MemoryStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.SessionStore.Release;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The sessions of one node with two workers, on a real store. */
class SessionTableTest {

    private static final JobType<String, Void> TYPE = JobType.of("chat", String.class)
            .affinity(Affinity.STRICT_QUEUE);
    private static final SessionCandidates BOTH = candidates("w-1", "w-2");

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore();
    private final Environment env = Environment.system().withClock(clock);
    private final HandlerRegistry registry = Samples.registry(env, Samples.registration(TYPE));
    private final SessionTable table = new SessionTable(store, registry, env, () -> Samples.NODE);

    @BeforeEach
    void open() {
        store.useClock(env);
        Samples.join(store, clock.instant());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static SessionCandidates candidates(String... workers) {
        return new SessionCandidates(List.of(workers), Set.of(workers), Set.of(workers));
    }

    private Claim claim(String session) {
        return Samples.storedClaim(store, clock.instant(), TYPE.with("x").session(session), "\"x\"");
    }

    private @Nullable SessionRoute route(Claim claim, SessionCandidates candidates) {
        return table.routes(List.of(claim), candidates).get(claim);
    }

    @Test
    void assignsNewSessionsToDifferentWorkers() {
        Claim ann = claim("ann");
        Claim bob = claim("bob");

        Map<Claim, SessionRoute> routes = table.routes(List.of(ann, bob), BOTH);

        assertThat(routes).containsEntry(ann, new SessionRoute.To("w-1", false))
                .containsEntry(bob, new SessionRoute.To("w-2", false));
        assertThat(table.sessionCount("w-1")).isEqualTo(1);
    }

    @Test
    void keepsASessionOnItsWorker() {
        route(claim("ann"), candidates("w-2"));

        Claim next = claim("ann");

        assertThat(route(next, BOTH)).isEqualTo(new SessionRoute.To("w-2", true));
        assertThat(table.has(next.job(), "w-2")).isTrue();
    }

    @Test
    void sendsAJobWithoutASessionAnywhere() {
        Claim plain = Samples.storedClaim(store, clock.instant(), TYPE.with("x"), "\"x\"");

        assertThat(route(plain, BOTH)).isEqualTo(new SessionRoute.Anywhere());
    }

    @Test
    void hasNoRouteForANewSessionIfNoWorkerIsEligible() {
        assertThat(route(claim("ann"), new SessionCandidates(List.of(), Set.of(), Set.of("w-1")))).isNull();
    }

    @Test
    void losesAStrictJobWhoseWorkerIsLost() {
        route(claim("ann"), BOTH);
        Claim waiting = claim("ann");

        table.workerLost("w-1");

        assertThat(route(waiting, candidates("w-2"))).isEqualTo(new SessionRoute.Lost(false));
        assertThat(table.sessionCount("w-1")).isZero();
        assertThat(route(claim("ann"), candidates("w-2"))).as("a job that is submitted later")
                .isEqualTo(new SessionRoute.To("w-2", false));
    }

    @Test
    void trustsItsCacheUntilItIsInvalidated() {
        route(claim("ann"), candidates("w-1"));
        store.release(new Release.OfSession("ann"));
        clock.advance(Duration.ofSeconds(1));

        assertThat(route(claim("ann"), BOTH)).isEqualTo(new SessionRoute.To("w-1", true));
        assertThat(table.endedByOthers()).isEmpty();

        table.invalidate();
        route(claim("ann"), BOTH);
        assertThat(table.endedByOthers()).extracting(Binding::session).containsExactly("ann");
        assertThat(table.endedByOthers()).as("each is reported once").isEmpty();
    }

    @Test
    void dropsASessionHereAndInTheStore() {
        route(claim("ann"), BOTH);

        assertThat(table.drop("ann")).extracting(Binding::worker).containsExactly("w-1");

        assertThat(table.sessionCount("w-1")).isZero();
        assertThat(table.drop("bob")).isEmpty();
    }

    @Test
    void endsSessionsThatWereIdleForFiveMinutes() {
        Claim ann = claim("ann");
        Claim bob = claim("bob");
        table.routes(List.of(ann, bob), BOTH);
        end(ann);
        end(bob);
        clock.advance(Duration.ofMinutes(4));
        Claim again = claim("bob");
        route(again, BOTH);
        end(again);

        clock.advance(Duration.ofMinutes(2));

        assertThat(table.sweep()).extracting(Binding::session).containsExactly("ann");
        assertThat(table.hasAny(Set.of("w-1"))).isFalse();
        assertThat(table.hasAny(Set.of("w-2"))).isTrue();
    }

    /** Ends a job without a change of the session: the store keeps sessions of jobs that have not ended. */
    private void end(Claim claim) {
        store.apply(List.of(new Change.Released(claim.fence(), "test", clock.instant())));
        store.execute(new AdminCommand.Cancel(claim.job().id(), "test", Samples.NODE,
                clock.instant()));
    }

    @Test
    void keepsASessionWhoseJobRuns() {
        Claim ann = claim("ann");
        route(ann, BOTH);
        table.jobStarted(ann.job());
        end(ann);

        clock.advance(Duration.ofMinutes(6));

        assertThat(table.hasRunningJob("default")).isTrue();
        assertThat(table.sweep()).isEmpty();

        table.jobEnded(ann.job());
        assertThat(table.hasRunningJob("default")).isFalse();
    }

    @Test
    void givesAJobOneDeadlineForWaitingAndRunning() {
        Claim ann = claim("ann");
        assertThat(table.isOverdue(ann)).isFalse();

        clock.advance(SessionDeadline.REQUEST);

        assertThat(table.isOverdue(ann)).isTrue();
    }
}
