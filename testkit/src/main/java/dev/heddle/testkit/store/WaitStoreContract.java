package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Transition;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.Submission;
import dev.heddle.store.Suspicion;
import dev.heddle.testkit.JobDraft;
import dev.heddle.waiting.WaitStore;
import dev.heddle.waiting.WaitStore.Facts;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a store knows about a job that may wait. */
abstract class WaitStoreContract extends StoreFixture {

    WaitStoreContract(StoreContract contract) {
        super(contract);
    }

    private Facts facts(JobId id) {
        return capability(WaitStore.class).waitFacts(id).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void readsAJobInEveryState(JobState state) {
        capability(WaitStore.class);
        JobId id = in(state, JobDraft.of("mail"));
        Facts facts = facts(id);
        assertThat(facts.job()).isEqualTo(job(id));
        assertThat(facts.now()).isEqualTo(clock.instant());
        assertThat(facts.queuePaused()).isFalse();
        assertThat(facts.suspicion()).isEqualTo(Suspicion.NONE);
        assertThat(facts.limits()).isEmpty();
        assertThat(facts.binding()).isNull();
        assertThat(facts.liveChildren()).isEqualTo(state == JobState.WAITING ? 1 : 0);
        assertThat(capability(WaitStore.class).waitFacts(JobId.next())).isEmpty();
    }

    @Test
    void countsJobsOfTheQueueAndTypeThatAreClaimedBefore() {
        insert(JobDraft.of("mail"));
        insert(JobDraft.of("mail").priority(5));
        insert(JobDraft.of("mail").priority(-5));
        insert(JobDraft.of("mail").queue("other").priority(5));
        insert(JobDraft.of("other").priority(5));
        insert(JobDraft.of("mail").due(at(60)));
        JobId id = insert(JobDraft.of("mail"));
        insert(JobDraft.of("mail"));
        assertThat(facts(id).ahead()).isEqualTo(2);
        assertThat(facts(insert(JobDraft.of("mail").priority(6))).ahead()).isZero();
    }

    @Test
    void countsJobsWithAndWithoutLimits() {
        capability(LimitStore.class).setLimit(Limit.named("one").maxConcurrent(1));
        insert(JobDraft.of("mail").limit("one", "a"));
        insert(JobDraft.of("mail"));
        assertThat(facts(insert(JobDraft.of("mail").limit("one", "b"))).ahead()).isEqualTo(2);
        assertThat(facts(insert(JobDraft.of("mail"))).ahead()).isEqualTo(3);
    }

    @Test
    void countsNoMoreThanItHasTo() {
        capability(WaitStore.class);
        store.insert(IntStream.range(0, WaitStore.MOST_COUNTED + 50)
                .mapToObj(i -> new Submission(List.of(JobDraft.of("mail").priority(i % 2).job()))).toList());
        assertThat(facts(insert(JobDraft.of("mail"))).ahead()).isEqualTo(WaitStore.MOST_COUNTED + 1);
    }

    @Test
    void readsWhetherTheQueueIsPaused() {
        capability(WaitStore.class);
        store.execute(new AdminCommand.PauseQueue("mail", ACTOR, T0));
        assertThat(facts(insert(JobDraft.of("mail").queue("mail"))).queuePaused()).isTrue();
        assertThat(facts(insert(JobDraft.of("mail").queue("other"))).queuePaused()).isFalse();
    }

    @Test
    void readsTheLastAttemptAndTheLastChange() {
        capability(WaitStore.class);
        JobId id = insert(JobDraft.of("mail"));
        applied(ended(start(claimAgain(id, T0)), Attempt.End.TIMED_OUT, new Transition.Requeue("slow")));
        applied(ended(start(claimAgain(id, at(3))), Attempt.End.FAILED, retry(at(60), "later")));
        Facts facts = facts(id);
        assertThat(facts.lastAttempt()).isEqualTo(story(id).attempts().getLast()).extracting(Attempt::end)
                .isEqualTo(Attempt.End.FAILED);
        assertThat(facts.lastChange()).isEqualTo(story(id).history().getLast()).extracting(HistoryEntry::to)
                .isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void readsWhatDeathsOfNodesSayAboutTheJob() {
        capability(WaitStore.class);
        Fence fence = running(JobDraft.of("mail"));
        crash(new Transition.Requeue("node died"), false, at(9));
        JobId id = store.list(JobQuery.all()).getFirst().id();
        assertThat(fence.seq()).isEqualTo(job(id).seq());
        assertThat(facts(id).suspicion().suspect()).isTrue();
        assertThat(facts(insert(JobDraft.of("mail"))).ahead()).as("suspects are in a lane of their own").isEqualTo(1);
    }

    @Test
    void readsWhoHoldsTheKeysOfLimits() {
        LimitStore limits = capability(LimitStore.class);
        limits.setLimit(Limit.named("slow").rate(2, Duration.ofMinutes(1)));
        limits.setLimit(Limit.named("two").maxConcurrent(2));
        limits.setLimit(Limit.named("gone").maxConcurrent(2));
        JobId first = insert(JobDraft.of("mail").limit("two", "ann"));
        JobId second = insert(JobDraft.of("mail").limit("two", "ann").limit("slow", "ann"));
        assertThat(ids(claim(T0, 10, any("mail")))).containsExactlyInAnyOrder(first, second);
        insert(JobDraft.of("mail").limit("two", "bob"));
        JobId held = insert(JobDraft.of("mail").limit("two", "ann").limit("slow", "ann").limit("gone", "ann"));
        limits.removeLimit("gone");

        Facts facts = facts(held);
        assertThat(facts.limits()).extracting(WaitStore.KeyUse::key).containsExactlyInAnyOrder(
                new LimitKey("two", "ann"), new LimitKey("slow", "ann"));
        for (WaitStore.KeyUse use : facts.limits()) {
            boolean two = use.key().limit().equals("two");
            assertThat(use.held()).isEqualTo(two ? 2 : 1);
            assertThat(use.holders()).isEqualTo(two ? List.of(first, second) : List.of(second));
            assertThat(use.rateState() > 0).isEqualTo(!two);
            assertThat(use.limit().name()).isEqualTo(use.key().limit());
        }
        assertThat(facts(first).ahead()).isZero();
    }

    @Test
    void readsWhichWorkerHasTheSession() {
        SessionStore sessions = capability(SessionStore.class);
        JobId id = insert(JobDraft.of("mail").session("anna"));
        insert(JobDraft.of("mail").session("bert"));
        assertThat(facts(id).binding()).isNull();
        sessions.bind(List.of(
                new SessionStore.BindRequest("mail", "anna", job(id).seq(), NODE + "/default-1", NODE, true),
                new SessionStore.BindRequest("other", "anna", job(id).seq(), NODE + "/default-2", NODE, true)));
        assertThat(facts(id).binding()).extracting(Binding::worker).isEqualTo(NODE + "/default-1");
        sessions.release(new SessionStore.Release.OfWorker(NODE + "/default-1"));
        assertThat(facts(id).binding()).extracting(Binding::lostSeq).asInstanceOf(InstanceOfAssertFactories.LONG)
                .isGreaterThanOrEqualTo(job(id).seq());
    }

    @Test
    void keepsWhatANodeSaysOfItself() {
        assertThat(store.nodes()).singleElement().extracting(NodeRecord::status).isEqualTo(NodeRecord.UNKNOWN);
        String status = "{\"closing\":true}";
        store.renew(new NodeRecord(NODE, T0, T0, Duration.ZERO, "[]", status));
        assertThat(store.nodes()).singleElement().extracting(NodeRecord::status).isEqualTo(status);
    }
}
