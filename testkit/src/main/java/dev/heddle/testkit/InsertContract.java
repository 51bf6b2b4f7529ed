package dev.heddle.testkit;

import java.time.Duration;
import java.util.List;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Receipt;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** How jobs come in: each submission whole or not at all, nothing twice, no queue over its capacity. */
abstract class InsertContract extends StoreFixture {

    InsertContract(StoreContract door) {
        super(door);
    }

    @Test
    void storesANewJobAsQueuedWithAllThatWasAskedFor() {
        Draft draft = Draft.of("mail").queue("bulk").priority(-7)
                .payload("{\"to\": \"ann@example.org äß😀\"}")
                .createdAt(at(-3)).limits(4, Duration.ofSeconds(90)).parent(insert(Draft.of("batch")))
                .session("s1")
                .subject("order 7").tags("a", "b").key("k1");

        assertThat(submit(draft)).isEqualTo(accepted(draft));

        Job job = job(draft.id());
        assertThat(job).isEqualTo(
                new Job(job.seq(), draft.spec(), JobState.QUEUED, Phase.INGEST, Job.Counts.NONE,
                        Job.Status.NONE));
    }

    @Test
    void storesAJobWithADueTimeAsScheduled() {
        JobId id = insert(Draft.of("mail").due(at(60)));

        assertThat(job(id).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job(id).dueAt()).contains(at(60));
    }

    @Test
    void keepsTimesToTheMillisecond() {
        JobId id = insert(
                Draft.of("mail").createdAt(T0.plusNanos(1_999_999)).due(at(60).plusNanos(2_999_999)));

        assertThat(job(id).spec().createdAt()).isEqualTo(T0.plusMillis(1));
        assertThat(job(id).dueAt()).contains(at(60).plusMillis(2));
    }

    @Test
    void numbersJobsInTheOrderOfSubmission() {
        Draft first = Draft.of("mail");
        Draft second = Draft.of("mail").due(at(60));
        Draft third = Draft.of("mail").priority(9);
        store.insert(List.of(submission(first, second), submission(third)));

        assertThat(ids(store.list(JobQuery.all()))).containsExactly(third.id(), second.id(), first.id());
        assertThat(job(first.id()).seq()).isLessThan(job(second.id()).seq());
        assertThat(job(second.id()).seq()).isLessThan(job(third.id()).seq());
    }

    @Test
    void answersEachSubmissionInOrder() {
        Draft one = Draft.of("mail");
        Draft two = Draft.of("mail");
        Draft three = Draft.of("fax");

        assertThat(store.insert(List.of(submission(one, two), submission(), submission(three))))
                .containsExactly(accepted(one, two), accepted(), accepted(three));
        assertThat(store.insert(List.of())).isEmpty();
    }

    @Test
    void acceptsAJobAgainWithoutChangingIt() {
        Draft draft = Draft.of("mail").key("k");
        running(draft);
        Job before = job(draft.id());

        assertThat(insert(Draft.of("fax").id(draft.id()).payload("[1]"))).isEqualTo(draft.id());
        assertThat(job(draft.id())).isEqualTo(before);
        assertThat(store.list(JobQuery.all())).hasSize(1);
    }

    @Test
    void acceptsAJobTwiceInOneSubmissionAsOne() {
        Draft draft = Draft.of("mail");

        assertThat(submit(draft, draft)).isEqualTo(accepted(draft, draft));
        assertThat(store.list(JobQuery.all())).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "CANCELLED"})
    void acceptsAnEndedJobAgainWithoutRevivingIt(JobState state) {
        Draft draft = Draft.of("mail").key("k");
        in(state, draft);
        Job before = job(draft.id());

        assertThat(insert(draft)).isEqualTo(draft.id());
        assertThat(job(draft.id())).isEqualTo(before);
        assertThat(claim(at(10), 10, any("mail")).jobs()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED", "PAUSED", "ASSIGNED", "RUNNING"})
    void letsALiveJobStandInForANewOneWithItsKey(JobState state) {
        JobId first = in(state, Draft.of("mail").key("k"));
        Draft second = Draft.of("mail").key("k");

        assertThat(insert(second)).isEqualTo(first);
        assertThat(store.find(second.id())).isEmpty();
    }

    @Test
    void letsACancelledJobHoldItsKeyUntilItsAttemptHasEnded() {
        Draft first = Draft.of("mail").key("k");
        var fence = running(first);
        store.execute(cancel(first.id(), at(2)));

        assertThat(insert(Draft.of("mail").key("k"))).isEqualTo(first.id());
        assertThat(apply(completion(fence))).isEqualTo(Verdict.CANCELLED);
        Draft second = Draft.of("mail").key("k");
        assertThat(insert(second)).isEqualTo(second.id());
    }

    @Test
    void letsTheFirstOfASubmissionStandInForTheOthersWithItsKey() {
        Draft first = Draft.of("mail").key("k");
        Draft second = Draft.of("mail").key("k");
        Draft third = Draft.of("mail").key("other");

        assertThat(submit(first, second, third))
                .isEqualTo(new Receipt.Accepted(List.of(first.id(), first.id(), third.id())));
        assertThat(store.list(JobQuery.all())).hasSize(2);
    }

    @Test
    void keepsTheKeysOfDifferentTypesApart() {
        Draft mail = Draft.of("mail").key("k");
        Draft fax = Draft.of("fax").key("k").queue("other");

        assertThat(submit(mail, fax)).isEqualTo(accepted(mail, fax));
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "CANCELLED"})
    void freesTheKeyOfAJobThatHasEnded(JobState state) {
        in(state, Draft.of("mail").key("k"));
        Draft next = Draft.of("mail").key("k");

        assertThat(insert(next)).isEqualTo(next.id());
        assertThat(job(next.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void refusesAWholeSubmissionThatWouldOverfillAQueue() {
        insert(Draft.of("mail").queue("small").capacity(2));
        Draft roomy = Draft.of("mail").queue("roomy").key("k");
        Draft fits = Draft.of("mail").queue("small").capacity(2);
        Draft spills = Draft.of("fax").queue("small").capacity(2);

        assertThat(submit(roomy, fits, spills)).isEqualTo(new Receipt.Full("small", 2));

        assertThat(store.list(JobQuery.all())).hasSize(1);
        assertThat(store.find(roomy.id())).isEmpty();
        assertThat(submit(fits)).as("the refused jobs took no room").isEqualTo(accepted(fits));
        Draft sameKey = Draft.of("mail").key("k");
        assertThat(submit(sameKey)).as("and no key").isEqualTo(accepted(sameKey));
    }

    @Test
    void leavesTheOtherSubmissionsAloneWhenOneIsRefused() {
        Draft first = Draft.of("mail").capacity(2);
        Draft spills1 = Draft.of("mail").capacity(2);
        Draft spills2 = Draft.of("mail").capacity(2);
        Draft last = Draft.of("mail").capacity(2);
        Draft over = Draft.of("mail").capacity(2);

        assertThat(store.insert(List.of(submission(first), submission(spills1, spills2), submission(last),
                submission(over))))
                .containsExactly(accepted(first), new Receipt.Full("default", 2), accepted(last),
                        new Receipt.Full("default", 2));
        assertThat(ids(store.list(JobQuery.all()))).containsExactly(last.id(), first.id());
    }

    @Test
    void countsOnlyQueuedJobsAgainstTheCapacity() {
        running(Draft.of("mail").capacity(1));
        in(JobState.PAUSED, Draft.of("mail").capacity(1));
        in(JobState.SCHEDULED, Draft.of("mail").capacity(1));
        Draft fits = Draft.of("mail").capacity(1);
        Draft spills = Draft.of("mail").capacity(1);

        assertThat(submit(fits)).isEqualTo(accepted(fits));
        assertThat(submit(spills)).isEqualTo(new Receipt.Full("default", 1));
        claim(T0, 1, any("mail"));
        assertThat(submit(spills)).as("a claim makes room").isEqualTo(accepted(spills));
    }

    @Test
    void neverRefusesAScheduledJob() {
        insert(Draft.of("mail").capacity(1));
        Draft later = Draft.of("mail").capacity(1).due(at(60));

        assertThat(submit(later)).isEqualTo(accepted(later));
    }

    @Test
    void countsTheJobsOfEachQueueForThemselves() {
        insert(Draft.of("mail").queue("a").capacity(1));
        Draft other = Draft.of("mail").queue("b").capacity(1);

        assertThat(submit(other)).isEqualTo(accepted(other));
        assertThat(submit(Draft.of("fax").queue("a").capacity(1))).isEqualTo(new Receipt.Full("a", 1));
    }

    @Test
    void needsNoRoomForAJobThatIsAlreadyThere() {
        Draft first = Draft.of("mail").capacity(1).key("k");
        insert(first);

        assertThat(insert(first)).isEqualTo(first.id());
        assertThat(insert(Draft.of("mail").capacity(1).key("k"))).isEqualTo(first.id());
    }
}
