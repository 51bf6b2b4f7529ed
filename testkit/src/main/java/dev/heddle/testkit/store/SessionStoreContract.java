package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.JobCounts;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.BindRequest;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.SessionStore.Parking;
import dev.heddle.store.SessionStore.Release;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Sessions: binding to a worker, expiry, loss and release; and jobs that are parked for one worker. */
abstract class SessionStoreContract extends StoreFixture {

    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final String ANNAS = "node-1/embed-1";
    private static final String OTHER = "node-1/embed-2";

    SessionStoreContract(StoreContract contract) {
        super(contract);
    }

    private SessionStore sessions() {
        return capability(SessionStore.class);
    }

    private Binding bind(String session, String worker, long seq, boolean strict) {
        List<Binding> bindings = sessions().bind(List.of(new BindRequest("embed", session, seq, worker, node, strict)));
        assertThat(bindings).hasSize(1);
        return bindings.getFirst();
    }

    private Binding bind(String session, String worker, long seq) {
        return bind(session, worker, seq, true);
    }

    private long seq(JobId id) {
        return job(id).seq();
    }

    private JobId job() {
        return insert(JobDraft.of("embed").session("anna"));
    }

    @Test
    void bindsASessionToTheFirstBidder() {
        assertThat(bind("anna", ANNAS, 1).worker()).isEqualTo(ANNAS);
        assertThat(bind("anna", OTHER, 2).worker()).isEqualTo(ANNAS);
        assertThat(bind("bert", OTHER, 3).worker()).isEqualTo(OTHER);
        assertThat(sessions().sessions(10)).extracting(Binding::session).containsExactlyInAnyOrder("anna", "bert");
        assertThat(sessions().sessions(1)).hasSize(1);
    }

    @Test
    void bindsManySessionsAtOnceAndTheFirstBidWins() {
        List<Binding> bindings = sessions().bind(List.of(new BindRequest("embed", "anna", 1, ANNAS, node, true),
                new BindRequest("embed", "anna", 2, OTHER, node, true),
                new BindRequest("other", "anna", 3, OTHER, node, true)));
        assertThat(bindings).extracting(Binding::worker).containsExactly(ANNAS, ANNAS, OTHER);
    }

    @Test
    void remembersWhichJobsWereMeantForALostWorker() {
        JobId before = job();
        bind("anna", ANNAS, seq(before));
        assertThat(sessions().release(new Release.OfWorker(ANNAS))).extracting(Binding::session)
                .containsExactly("anna");

        Binding forOld = bind("anna", OTHER, seq(before));
        assertThat(forOld.worker()).as("an older job does not rebind the session").isNull();
        assertThat(forOld.lostSeq()).isGreaterThanOrEqualTo(seq(before));

        JobId after = job();
        Binding forNew = bind("anna", OTHER, seq(after));
        assertThat(forNew.worker()).as("a later job does").isEqualTo(OTHER);
        assertThat(forNew.lostSeq()).isGreaterThanOrEqualTo(seq(before)).isLessThan(seq(after));
    }

    @Test
    void losesASessionEvenIfItHasNoJobs() {
        bind("anna", ANNAS, 1);
        assertThat(sessions().release(new Release.OfWorker(ANNAS))).hasSize(1);
        assertThat(bind("anna", OTHER, 1).worker()).isEqualTo(OTHER);
    }

    @Test
    void forgetsANonStrictSessionWithItsWorker() {
        bind("anna", ANNAS, 1, false);
        sessions().release(new Release.OfWorker(ANNAS));
        assertThat(sessions().sessions(10)).isEmpty();
        Binding rebound = bind("anna", OTHER, 1, false);
        assertThat(rebound.worker()).isEqualTo(OTHER);
        assertThat(rebound.lostSeq()).isZero();
    }

    @Test
    void dropsOneSessionAndLeavesTheOthers() {
        JobId first = job();
        bind("anna", ANNAS, seq(first));
        bind("bert", ANNAS, seq(first));
        assertThat(sessions().release(new Release.OfSession("anna"))).hasSize(1);
        assertThat(sessions().sessions(10)).as("kept until its job has learned of the loss").hasSize(2);
        assertThat(sessions().release(new Release.OfSession("anna"))).as("dropping it twice is harmless")
                .hasSize(1);
        assertThat(bind("bert", OTHER, 9).worker()).isEqualTo(ANNAS);
        Binding dropped = bind("anna", OTHER, seq(first));
        assertThat(dropped.worker()).isNull();
        assertThat(dropped.dropped()).isTrue();
        sessions().release(new Release.OfWorker(ANNAS));
        assertThat(bind("bert", OTHER, seq(first)).dropped()).as("lost with its worker").isFalse();
    }

    @Test
    void forgetsADroppedSessionWithoutPendingJobs() {
        bind("anna", ANNAS, 1);
        bind("bert", ANNAS, 1);
        sessions().release(new Release.OfWorker(ANNAS));
        bind("bert", OTHER, 9);
        assertThat(sessions().release(new Release.OfSession("anna"))).as("a lost session").hasSize(1);
        assertThat(sessions().release(new Release.OfSession("bert"))).as("a bound session").hasSize(1);
        assertThat(sessions().sessions(10)).isEmpty();
        assertThat(sessions().release(new Release.OfSession("anna"))).isEmpty();
    }

    @Test
    void expiresIdleSessionsWithoutJobs() {
        JobId waiting = job();
        bind("anna", ANNAS, seq(waiting));
        bind("bert", ANNAS, 1);
        bind("carl", ANNAS, 1);
        Binding carl = sessions().sessions(10).stream().filter(b -> b.session().equals("carl")).findFirst()
                .orElseThrow();
        clock.advance(IDLE);
        sessions().touch(List.of(carl));
        assertThat(sessions().release(new Release.Idle(node, IDLE))).as("not early").isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(sessions().release(new Release.Idle("another node", IDLE))).isEmpty();
        assertThat(sessions().release(new Release.Idle(node, IDLE)))
                .as("anna has a job, and carl was used recently").extracting(Binding::session).containsExactly("bert");
        assertThat(sessions().sessions(10)).extracting(Binding::session).containsExactlyInAnyOrder("anna", "carl");
        assertThat(bind("bert", OTHER, 1).worker()).as("an expired session is not lost").isEqualTo(OTHER);
    }

    @Test
    void expiresTheLostSessionsOfAnyNode() {
        JobId waiting = job();
        bind("anna", ANNAS, seq(waiting));
        bind("bert", ANNAS, 1);
        clock.advance(IDLE);
        sessions().release(new Release.OfWorker(ANNAS));
        clock.advance(IDLE);
        assertThat(sessions().release(new Release.Idle("another node", IDLE))).as("counted from the loss").isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(sessions().release(new Release.Idle("another node", IDLE)))
                .as("anna has a job that must learn of the loss").extracting(Binding::session).containsExactly("bert");
        assertThat(sessions().sessions(10)).extracting(Binding::session).containsExactly("anna");
    }

    @Test
    void losesTheSessionsOfADeadNode() {
        JobId before = job();
        bind("anna", ANNAS, seq(before));
        crash(new Transition.Requeue("dead node"), false, at(10));
        assertThat(sessions().release(new Release.OfDeadNodes())).extracting(Binding::session)
                .containsExactly("anna");
        assertThat(bind("anna", "node-2/embed-1", seq(before)).worker()).isNull();
    }

    /** Claims the job and parks it for a worker. */
    private Fence park(JobId id, String worker) {
        Fence fence = claimAgain(id, at(1));
        sessions().park(List.of(new Parking(fence, "default", "embed", worker)));
        apply(new Change.Released(fence, "waits", at(2)));
        return fence;
    }

    @Test
    void parksAJobForTheNodeOfItsWorker() {
        JobId parked = job();
        JobId free = insert(JobDraft.of("embed"));
        bind("anna", ANNAS, seq(parked));
        Fence fence = claim(at(1), 1, any("embed")).claims().getFirst().fence();
        sessions().park(List.of(new Parking(fence, "default", "embed", ANNAS)));
        apply(new Change.Released(fence, "waits", at(2)));

        assertThat(job(parked).state()).isEqualTo(JobState.QUEUED);
        assertThat(store.countJobs().live()).as("it still counts under its type")
                .containsExactly(new JobCounts.Line("default", "embed", JobState.QUEUED, 2));
        assertThat(ids(claim(at(3), 10, any(SessionStore.parkedType("embed", OTHER))))).isEmpty();
        assertThat(ids(claim(at(3), 10, any("embed")))).containsExactly(free);
        assertThat(ids(claim(at(3), 10, any(SessionStore.parkedType("embed", ANNAS))))).containsExactly(parked);
        assertThat(job(parked).type()).isEqualTo("embed");
    }

    @Test
    void parksNothingWithoutAValidFence() {
        JobId id = job();
        Fence fence = claimAgain(id, at(1));
        apply(new Change.Released(fence, "back", at(2)));
        sessions().park(List.of(new Parking(fence, "default", "embed", ANNAS)));
        assertThat(ids(claim(at(3), 10, any("embed")))).containsExactly(id);
    }

    @Test
    void parksNothingForALostWorker() {
        JobId id = job();
        bind("anna", ANNAS, seq(id));
        Fence fence = claimAgain(id, at(1));
        sessions().release(new Release.OfWorker(ANNAS));
        sessions().park(List.of(new Parking(fence, "default", "embed", ANNAS)));
        apply(new Change.Released(fence, "waits", at(3)));
        assertThat(ids(claim(at(4), 10, any("embed")))).containsExactly(id);
    }

    @Test
    void releasesJobsThatWereParkedForALostWorker() {
        JobId id = job();
        bind("anna", ANNAS, seq(id));
        park(id, ANNAS);
        assertThat(ids(claim(at(3), 10, any("embed")))).isEmpty();
        sessions().release(new Release.OfWorker(ANNAS));
        assertThat(ids(claim(at(5), 10, any("embed")))).containsExactly(id);
    }

    @Test
    void keepsAParkedJobParkedAcrossRetries() {
        JobId id = job();
        bind("anna", ANNAS, seq(id));
        park(id, ANNAS);
        Fence fence = claim(at(3), 1, any(SessionStore.parkedType("embed", ANNAS))).claims().getFirst().fence();
        apply(new Change.Released(fence, "closing", at(4)));
        assertThat(ids(claim(at(5), 10, any("embed")))).isEmpty();
        assertThat(ids(claim(at(5), 10, any(SessionStore.parkedType("embed", ANNAS))))).containsExactly(id);
    }

    @Test
    void encodesTypeAndWorkerInTheNameOfAParkingLane() {
        String lane = SessionStore.parkedType("embed", ANNAS);
        assertThat(SessionStore.plainType(lane)).isEqualTo("embed");
        assertThat(SessionStore.plainType("embed")).isEqualTo("embed");
        assertThat(SessionStore.parkedWorker(lane)).isEqualTo(ANNAS);
    }
}
