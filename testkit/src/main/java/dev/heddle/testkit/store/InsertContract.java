package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Phase;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Receipt;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Submissions: each is stored whole or not at all, no job is stored twice, and no queue exceeds its capacity. */
abstract class InsertContract extends StoreFixture {

    InsertContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void storesANewJobAsQueuedWithEveryOption() {
        JobDraft draft = JobDraft.of("mail").queue("bulk").priority(-7).payload("{\"to\": \"ann@example.org äß😀\"}")
                .createdAt(at(-3)).limits(4, Duration.ofSeconds(90)).parent(insert(JobDraft.of("batch"))).session("s1")
                .subject("order 7").tags("a", "b").key("k1").headers(Map.of("trace", "4bf9", "ä", "ö"));

        assertThat(submit(draft)).isEqualTo(accepted(draft));

        Job job = job(draft.id());
        assertThat(job).isEqualTo(
                new Job(job.seq(), draft.spec(), Phase.INGEST, Job.Counts.NONE, new JobStatus.Queued(), null));
    }

    @Test
    void storesAJobWithADueTimeAsScheduled() {
        JobId id = insert(JobDraft.of("mail").due(at(60)));

        assertThat(job(id).state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job(id).dueAt()).contains(at(60));
    }

    @Test
    void storesTimesWithMillisecondPrecision() {
        JobId id = insert(JobDraft.of("mail").createdAt(T0.plusNanos(1_999_999)).due(at(60).plusNanos(2_999_999)));

        assertThat(job(id).spec().createdAt()).isEqualTo(T0.plusMillis(1));
        assertThat(job(id).dueAt()).contains(at(60).plusMillis(2));
    }

    @Test
    void numbersJobsInSubmissionOrder() {
        JobDraft first = JobDraft.of("mail");
        JobDraft second = JobDraft.of("mail").due(at(60));
        JobDraft third = JobDraft.of("mail").priority(9);
        store.insert(List.of(submission(first, second), submission(third)));

        assertThat(ids(store.list(JobQuery.all()))).containsExactly(third.id(), second.id(), first.id());
        assertThat(job(first.id()).seq()).isLessThan(job(second.id()).seq());
        assertThat(job(second.id()).seq()).isLessThan(job(third.id()).seq());
    }

    @Test
    void answersEachSubmissionInOrder() {
        JobDraft one = JobDraft.of("mail");
        JobDraft two = JobDraft.of("mail");
        JobDraft three = JobDraft.of("fax");

        assertThat(store.insert(List.of(submission(one, two), submission(), submission(three))))
                .containsExactly(accepted(one, two), accepted(), accepted(three));
        assertThat(store.insert(List.of())).isEmpty();
    }

    @Test
    void acceptsARepeatedJobWithoutChangingIt() {
        JobDraft draft = JobDraft.of("mail").key("k");
        running(draft);
        Job before = job(draft.id());

        assertThat(submit(JobDraft.of("fax").id(draft.id()).payload("[1]"))).isEqualTo(existing(draft.id()));
        assertThat(job(draft.id())).isEqualTo(before);
        assertThat(store.list(JobQuery.all())).hasSize(1);
    }

    @Test
    void tellsNewJobsFromRepeatedOnesInOneBatch() {
        JobDraft known = JobDraft.of("mail");
        insert(known);
        JobDraft fresh = JobDraft.of("mail");
        JobDraft other = JobDraft.of("mail").tags("not plain");

        assertThat(store.insert(List.of(submission(fresh, known), submission(known), submission(other))))
                .containsExactly(new Receipt.Accepted(
                        List.of(new Receipt.Stored(fresh.id(), true), new Receipt.Stored(known.id(), false))),
                        existing(known.id()), accepted(other));
        assertThat(store.list(JobQuery.all())).hasSize(3);
    }

    @Test
    void storesAJobOnceIfASubmissionContainsItTwice() {
        JobDraft draft = JobDraft.of("mail");

        assertThat(submit(draft, draft)).isEqualTo(new Receipt.Accepted(
                List.of(new Receipt.Stored(draft.id(), true), new Receipt.Stored(draft.id(), false))));
        assertThat(store.list(JobQuery.all())).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "CANCELLED"})
    void acceptsARepeatedJobThatHasEndedWithoutRevivingIt(JobState state) {
        JobDraft draft = JobDraft.of("mail").key("k");
        in(state, draft);
        Job before = job(draft.id());

        assertThat(submit(draft)).isEqualTo(existing(draft.id()));
        assertThat(job(draft.id())).isEqualTo(before);
        assertThat(claim(at(10), 10, any("mail")).claims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUED", "SCHEDULED", "PAUSED", "ASSIGNED", "RUNNING"})
    void returnsTheLiveJobForANewOneWithTheSameDedupeKey(JobState state) {
        JobId first = in(state, JobDraft.of("mail").key("k"));
        JobDraft second = JobDraft.of("mail").key("k");

        assertThat(submit(second)).isEqualTo(existing(first));
        assertThat(store.find(second.id())).isEmpty();
    }

    @Test
    void keepsTheDedupeKeyOfACancelledJobUntilItsAttemptEnds() {
        JobDraft first = JobDraft.of("mail").key("k");
        var fence = running(first);
        store.execute(cancel(first.id(), at(2)));

        assertThat(insert(JobDraft.of("mail").key("k"))).isEqualTo(first.id());
        assertThat(apply(completion(fence))).isEqualTo(Verdict.CANCELLED);
        JobDraft second = JobDraft.of("mail").key("k");
        assertThat(insert(second)).isEqualTo(second.id());
    }

    @Test
    void returnsTheFirstOfSeveralJobsWithTheSameKeyInOneSubmission() {
        JobDraft first = JobDraft.of("mail").key("k");
        JobDraft second = JobDraft.of("mail").key("k");
        JobDraft third = JobDraft.of("mail").key("other");

        assertThat(submit(first, second, third))
                .isEqualTo(new Receipt.Accepted(List.of(new Receipt.Stored(first.id(), true),
                        new Receipt.Stored(first.id(), false), new Receipt.Stored(third.id(), true))));
        assertThat(store.list(JobQuery.all())).hasSize(2);
    }

    @Test
    void scopesDedupeKeysByType() {
        JobDraft mail = JobDraft.of("mail").key("k");
        JobDraft fax = JobDraft.of("fax").key("k").queue("other");

        assertThat(submit(mail, fax)).isEqualTo(accepted(mail, fax));
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED", "CANCELLED"})
    void freesTheDedupeKeyOfAnEndedJob(JobState state) {
        in(state, JobDraft.of("mail").key("k"));
        JobDraft next = JobDraft.of("mail").key("k");

        assertThat(insert(next)).isEqualTo(next.id());
        assertThat(job(next.id()).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void refusesAWholeSubmissionThatWouldOverfillAQueue() {
        insert(JobDraft.of("mail").queue("small").capacity(2));
        JobDraft roomy = JobDraft.of("mail").queue("roomy").key("k");
        JobDraft fits = JobDraft.of("mail").queue("small").capacity(2);
        JobDraft spills = JobDraft.of("fax").queue("small").capacity(2);

        assertThat(submit(roomy, fits, spills)).isEqualTo(new Receipt.Full("small", 2));

        assertThat(store.list(JobQuery.all())).hasSize(1);
        assertThat(store.find(roomy.id())).isEmpty();
        assertThat(submit(fits)).as("refused jobs use no capacity").isEqualTo(accepted(fits));
        JobDraft sameKey = JobDraft.of("mail").key("k");
        assertThat(submit(sameKey)).as("refused jobs hold no dedupe key").isEqualTo(accepted(sameKey));
    }

    @Test
    void acceptsTheOtherSubmissionsIfOneIsRefused() {
        JobDraft first = JobDraft.of("mail").capacity(2);
        JobDraft spills1 = JobDraft.of("mail").capacity(2);
        JobDraft spills2 = JobDraft.of("mail").capacity(2);
        JobDraft last = JobDraft.of("mail").capacity(2);
        JobDraft over = JobDraft.of("mail").capacity(2);

        assertThat(store
                .insert(List.of(submission(first), submission(spills1, spills2), submission(last), submission(over))))
                .containsExactly(accepted(first), new Receipt.Full("default", 2), accepted(last),
                        new Receipt.Full("default", 2));
        assertThat(ids(store.list(JobQuery.all()))).containsExactly(last.id(), first.id());
    }

    @Test
    void countsOnlyQueuedJobsAgainstTheCapacity() {
        running(JobDraft.of("mail").capacity(1));
        in(JobState.PAUSED, JobDraft.of("mail").capacity(1));
        in(JobState.SCHEDULED, JobDraft.of("mail").capacity(1));
        JobDraft fits = JobDraft.of("mail").capacity(1);
        JobDraft spills = JobDraft.of("mail").capacity(1);

        assertThat(submit(fits)).isEqualTo(accepted(fits));
        assertThat(submit(spills)).isEqualTo(new Receipt.Full("default", 1));
        claim(T0, 1, any("mail"));
        assertThat(submit(spills)).as("a claim frees capacity").isEqualTo(accepted(spills));
    }

    @Test
    void neverRefusesAScheduledJob() {
        insert(JobDraft.of("mail").capacity(1));
        JobDraft later = JobDraft.of("mail").capacity(1).due(at(60));

        assertThat(submit(later)).isEqualTo(accepted(later));
    }

    @Test
    void countsEachQueueSeparately() {
        insert(JobDraft.of("mail").queue("a").capacity(1));
        JobDraft other = JobDraft.of("mail").queue("b").capacity(1);

        assertThat(submit(other)).isEqualTo(accepted(other));
        assertThat(submit(JobDraft.of("fax").queue("a").capacity(1))).isEqualTo(new Receipt.Full("a", 1));
    }

    @Test
    void needsNoCapacityForAJobThatIsAlreadyStored() {
        JobDraft first = JobDraft.of("mail").capacity(1).key("k");
        insert(first);

        assertThat(insert(first)).isEqualTo(first.id());
        assertThat(insert(JobDraft.of("mail").capacity(1).key("k"))).isEqualTo(first.id());
    }
}
