package dev.heddle.testkit.store;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.job.Progress;
import dev.heddle.job.Transition;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Fence;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Claims: which jobs a node gets, in which order, and how many. */
abstract class ClaimContract extends StoreFixture {

    ClaimContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void claimsByPriorityThenInSubmissionOrder() {
        JobId low = insert(JobDraft.of("mail").priority(-1));
        JobId first = insert(JobDraft.of("mail"));
        JobId otherQueue = insert(JobDraft.of("mail").queue("other"));
        JobId otherType = insert(JobDraft.of("fax"));
        JobId second = insert(JobDraft.of("mail"));
        JobId high = insert(JobDraft.of("fax").queue("other").priority(5));

        assertThat(ids(claim(T0, 3, any("mail"), any("fax")))).containsExactly(high, first, otherQueue);
        assertThat(ids(claim(T0, 9, any("mail"), any("fax")))).containsExactly(otherType, second, low);
    }

    @Test
    void assignsAClaimedJobToTheNode() {
        JobId id = insert(JobDraft.of("mail"));

        ClaimResult claimed = claim(at(3).plusNanos(999_999), 1, any("mail"));

        assertThat(claimed.claims()).hasSize(1);
        Job job = claimed.claims().getFirst().job();
        assertThat(claimed.claims().getFirst().suspect()).isFalse();
        assertThat(job.state()).isEqualTo(JobState.ASSIGNED);
        assertThat(job.counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(job.status()).isEqualTo(new JobStatus.Assigned(NODE, at(3)));
        assertThat(job(id)).isEqualTo(job);
        assertThat(claimed.claims().getFirst().fence()).isEqualTo(new Fence(job.seq(), 1, NODE));
    }

    @Test
    void claimsAJobOnlyOnce() {
        insert(JobDraft.of("mail"));

        assertThat(claim(T0, 9, any("mail")).claims()).hasSize(1);
        assertThat(claim(T0, 9, any("mail")).claims()).isEmpty();
        assertThat(store.claim(new ClaimRequest(NEXT_NODE, T0, 9, List.of(any("mail")))).claims()).isEmpty();
    }

    @Test
    void claimsNoMoreThanTheLimit() {
        for (int i = 0; i < 5; i++) {
            insert(JobDraft.of(i % 2 == 0 ? "mail" : "fax"));
        }

        assertThat(claim(T0, 0, any("mail"), any("fax")).claims()).isEmpty();
        assertThat(claim(T0, 3, any("mail"), any("fax")).claims()).hasSize(3);
    }

    @Test
    void claimsNoMoreOfATypeThanWanted() {
        JobId mail1 = insert(JobDraft.of("mail").priority(2));
        JobId mail2 = insert(JobDraft.of("mail").priority(2).queue("other"));
        insert(JobDraft.of("mail").priority(2));
        JobId fax = insert(JobDraft.of("fax"));

        assertThat(ids(claim(T0, 9, new Wanted("mail", false, 2), any("fax")))).containsExactly(mail1, mail2, fax);
    }

    private static Wanted without(String type, String... tags) {
        return new Wanted(type, false, 100, Set.of(tags));
    }

    @Test
    void skipsJobsWithAnExcludedTag() {
        JobId blue = insert(JobDraft.of("mail").tags("blue").priority(9));
        JobId both = insert(JobDraft.of("mail").tags("red", "blue").queue("other").priority(9));
        JobId red = insert(JobDraft.of("mail").tags("red").queue("other"));
        JobId none = insert(JobDraft.of("mail"));
        JobId fax = insert(JobDraft.of("fax").tags("blue"));

        assertThat(ids(claim(T0, 9, without("mail", "blue"), any("fax")))).containsExactly(red, none, fax);
        assertThat(claim(T0, 9, without("mail", "blue", "red")).claims()).isEmpty();
        assertThat(List.of(job(blue).state(), job(both).state())).containsOnly(JobState.QUEUED);
        assertThat(job(blue).counts().attempt()).isZero();
        assertThat(ids(claim(T0, 9, without("mail", "red")))).containsExactly(blue);
        assertThat(ids(claim(T0, 9, any("mail")))).containsExactly(both);
    }

    @Test
    void appliesLimitsAfterExcludingTags() {
        for (int i = 0; i < 5; i++) {
            insert(JobDraft.of("mail").tags("it's \"odd\"").priority(5));
        }
        JobId first = insert(JobDraft.of("mail"));
        JobId second = insert(JobDraft.of("mail").queue("other"));
        JobId third = insert(JobDraft.of("mail"));

        assertThat(ids(claim(T0, 1, without("mail", "it's \"odd\"")))).containsExactly(first);
        assertThat(ids(claim(T0, 9, new Wanted("mail", false, 1, Set.of("it's \"odd\""))))).containsExactly(second);
        assertThat(ids(claim(T0, 9, without("mail", "it's \"odd\"")))).containsExactly(third);
    }

    @Test
    void leavesJobsThatAreNotWanted() {
        JobId id = insert(JobDraft.of("mail"));

        assertThat(claim(T0, 9).claims()).isEmpty();
        assertThat(claim(T0, 9, any("fax"), suspects("mail"), new Wanted("mail", false, 0)).claims()).isEmpty();
        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void claimsNothingFromAPausedQueue() {
        JobId held = insert(JobDraft.of("mail").queue("slow").priority(9));
        JobId free = insert(JobDraft.of("mail"));
        store.execute(new AdminCommand.PauseQueue("slow", ACTOR, T0));

        assertThat(ids(claim(T0, 9, any("mail")))).containsExactly(free);
        store.execute(new AdminCommand.ResumeQueue("slow", ACTOR, T0));
        assertThat(ids(claim(T0, 9, any("mail")))).containsExactly(held);
    }

    @Test
    void neverClaimsAPausedJob() {
        in(JobState.PAUSED, JobDraft.of("mail"));
        store.execute(pause(insert(JobDraft.of("mail").due(at(10)))));

        ClaimResult claimed = claim(at(60), 9, any("mail"));

        assertThat(claimed.claims()).isEmpty();
        assertThat(claimed.untilDue()).as("the due time of a paused job does not count").isNull();
    }

    @Test
    void claimsScheduledJobsOnceTheyAreDue() {
        JobId late = insert(JobDraft.of("mail").due(at(11)));
        JobId onTime = insert(JobDraft.of("mail").due(at(10)));
        JobId early = insert(JobDraft.of("mail").due(at(9)));

        assertThat(ids(claim(at(8), 9, any("mail")))).isEmpty();
        assertThat(ids(claim(at(10), 9, any("mail")))).as("in submission order, not by due time")
                .containsExactly(onTime, early);
        assertThat(job(onTime).dueAt()).isEmpty();
        assertThat(job(late).state()).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void queuesDueJobsThatItDoesNotClaim() {
        JobId unwanted = insert(JobDraft.of("fax").due(at(10)));
        JobId paused = insert(JobDraft.of("mail").queue("slow").due(at(10)));
        store.execute(new AdminCommand.PauseQueue("slow", ACTOR, T0));

        assertThat(claim(at(10), 9, any("mail")).claims()).isEmpty();

        for (JobId id : List.of(unwanted, paused)) {
            assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
            assertThat(job(id).dueAt()).isEmpty();
            assertThat(story(id).history()).isEmpty();
        }
    }

    @Test
    void reportsWhenTheNextJobIsDue() {
        assertThat(claim(T0, 9, any("mail")).untilDue()).isNull();
        insert(JobDraft.of("fax").due(at(30)));
        insert(JobDraft.of("mail").due(at(10)));
        insert(JobDraft.of("mail").due(at(20)));

        assertThat(claim(T0, 0).untilDue()).isEqualTo(Duration.ofSeconds(10));
        assertThat(claim(at(10), 9, any("mail")).untilDue()).isEqualTo(Duration.ofSeconds(10));
        assertThat(claim(at(25), 9, any("mail")).untilDue()).as("of any type").isEqualTo(Duration.ofSeconds(5));
        assertThat(claim(at(30), 9, any("mail")).untilDue()).isNull();
    }

    @Test
    void givesEachAttemptANewNumberAndACleanStatus() {
        JobDraft draft = JobDraft.of("mail");
        Fence first = running(draft);
        applied(new Change.Progressed(first, new Progress(1, 2, "half")));
        applied(ended(first, Attempt.End.FAILED, retry(at(10), "Retry 1/2")));

        Fence second = claimAgain(draft.id(), at(10));

        assertThat(second.attempt()).isEqualTo(2);
        Job job = job(draft.id());
        assertThat(job.counts()).isEqualTo(new Job.Counts(2, 1, 0));
        assertThat(job.status()).isEqualTo(new JobStatus.Assigned(NODE, at(10)));
    }

    @Test
    void claimsSuspectsOnlyIfAskedForThem() {
        JobDraft crashed = JobDraft.of("mail");
        running(crashed);
        JobId fresh = insert(JobDraft.of("mail"));
        crash(new Transition.Requeue("node died"), true, at(5));

        assertThat(ids(claim(at(6), 9, any("mail")))).containsExactly(fresh);
        ClaimResult suspects = claim(at(6), 9, suspects("mail"));
        assertThat(ids(suspects)).containsExactly(crashed.id());
        assertThat(suspects.claims().getFirst().suspect()).isTrue();
    }

    @Test
    void limitsSuspectsAndOthersOfATypeSeparately() {
        for (int i = 0; i < 2; i++) {
            insert(JobDraft.of("mail"));
        }
        claim(T0, 2, any("mail"));
        crash(new Transition.Requeue("node died"), true, at(5));
        for (int i = 0; i < 3; i++) {
            insert(JobDraft.of("mail"));
        }

        ClaimResult claimed = claim(at(6), 9, new Wanted("mail", true, 1), new Wanted("mail", false, 2));

        assertThat(claimed.claims()).extracting(ClaimResult.Claim::suspect).containsExactly(true, false, false);
    }
}
