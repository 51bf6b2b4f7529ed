package dev.heddle.testkit;

import java.util.List;
import java.util.Set;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Progress;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Claimed;
import dev.heddle.store.Command;
import dev.heddle.store.Fence;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How a node gets its jobs: what it wants, in turn, and nobody else's. */
abstract class ClaimContract extends StoreFixture {

    ClaimContract(StoreContract door) {
        super(door);
    }

    @Test
    void claimsByPriorityAndThenInTheOrderOfSubmission() {
        JobId low = insert(Draft.of("mail").priority(-1));
        JobId first = insert(Draft.of("mail"));
        JobId otherQueue = insert(Draft.of("mail").queue("other"));
        JobId otherType = insert(Draft.of("fax"));
        JobId second = insert(Draft.of("mail"));
        JobId high = insert(Draft.of("fax").queue("other").priority(5));

        assertThat(ids(claim(T0, 3, any("mail"), any("fax")))).containsExactly(high, first, otherQueue);
        assertThat(ids(claim(T0, 9, any("mail"), any("fax")))).containsExactly(otherType, second, low);
    }

    @Test
    void assignsWhatItClaims() {
        JobId id = insert(Draft.of("mail"));

        Claimed claimed = claim(at(3).plusNanos(999_999), 1, any("mail"));

        assertThat(claimed.jobs()).hasSize(1);
        Job job = claimed.jobs().getFirst().job();
        assertThat(claimed.jobs().getFirst().suspect()).isFalse();
        assertThat(job.state()).isEqualTo(JobState.ASSIGNED);
        assertThat(job.counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(job.status())
                .isEqualTo(new Job.Status(null, NODE, at(3), null, null, null, null, null, null));
        assertThat(job(id)).isEqualTo(job);
        assertThat(claimed.jobs().getFirst().fence()).isEqualTo(new Fence(job.seq(), 1, NODE));
    }

    @Test
    void claimsAJobOnce() {
        insert(Draft.of("mail"));

        assertThat(claim(T0, 9, any("mail")).jobs()).hasSize(1);
        assertThat(claim(T0, 9, any("mail")).jobs()).isEmpty();
        assertThat(store.claim(new ClaimRequest(NEXT_NODE, T0, 9, List.of(any("mail")))).jobs()).isEmpty();
    }

    @Test
    void takesNoMoreThanTheLimit() {
        for (int i = 0; i < 5; i++) {
            insert(Draft.of(i % 2 == 0 ? "mail" : "fax"));
        }

        assertThat(claim(T0, 0, any("mail"), any("fax")).jobs()).isEmpty();
        assertThat(claim(T0, 3, any("mail"), any("fax")).jobs()).hasSize(3);
    }

    @Test
    void takesNoMoreOfAKindThanIsWantedOfIt() {
        JobId mail1 = insert(Draft.of("mail").priority(2));
        JobId mail2 = insert(Draft.of("mail").priority(2).queue("other"));
        insert(Draft.of("mail").priority(2));
        JobId fax = insert(Draft.of("fax"));

        assertThat(ids(claim(T0, 9, new Wanted("mail", false, 2), any("fax"))))
                .containsExactly(mail1, mail2, fax);
    }

    private static Wanted without(String type, String... tags) {
        return new Wanted(type, false, 100, Set.of(tags));
    }

    @Test
    void leavesOutJobsWithATagThatIsNotWanted() {
        JobId blue = insert(Draft.of("mail").tags("blue").priority(9));
        JobId both = insert(Draft.of("mail").tags("red", "blue").queue("other").priority(9));
        JobId red = insert(Draft.of("mail").tags("red").queue("other"));
        JobId none = insert(Draft.of("mail"));
        JobId fax = insert(Draft.of("fax").tags("blue"));

        assertThat(ids(claim(T0, 9, without("mail", "blue"), any("fax")))).containsExactly(red, none, fax);
        assertThat(claim(T0, 9, without("mail", "blue", "red")).jobs()).isEmpty();
        assertThat(List.of(job(blue).state(), job(both).state())).containsOnly(JobState.QUEUED);
        assertThat(job(blue).counts().attempt()).isZero();
        assertThat(ids(claim(T0, 9, without("mail", "red")))).containsExactly(blue);
        assertThat(ids(claim(T0, 9, any("mail")))).containsExactly(both);
    }

    @Test
    void keepsToItsLimitsAmongThoseWithoutATag() {
        for (int i = 0; i < 5; i++) {
            insert(Draft.of("mail").tags("it's \"odd\"").priority(5));
        }
        JobId first = insert(Draft.of("mail"));
        JobId second = insert(Draft.of("mail").queue("other"));
        JobId third = insert(Draft.of("mail"));

        assertThat(ids(claim(T0, 1, without("mail", "it's \"odd\"")))).containsExactly(first);
        assertThat(ids(claim(T0, 9, new Wanted("mail", false, 1, Set.of("it's \"odd\"")))))
                .containsExactly(second);
        assertThat(ids(claim(T0, 9, without("mail", "it's \"odd\"")))).containsExactly(third);
    }

    @Test
    void leavesWhatIsNotWanted() {
        JobId id = insert(Draft.of("mail"));

        assertThat(claim(T0, 9).jobs()).isEmpty();
        assertThat(claim(T0, 9, any("fax"), suspects("mail"), new Wanted("mail", false, 0)).jobs()).isEmpty();
        assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void claimsNothingFromAPausedQueue() {
        JobId held = insert(Draft.of("mail").queue("slow").priority(9));
        JobId free = insert(Draft.of("mail"));
        store.execute(new Command.PauseQueue("slow", ACTOR, T0));

        assertThat(ids(claim(T0, 9, any("mail")))).containsExactly(free);
        store.execute(new Command.ResumeQueue("slow", ACTOR, T0));
        assertThat(ids(claim(T0, 9, any("mail")))).containsExactly(held);
    }

    @Test
    void leavesPausedJobs() {
        in(JobState.PAUSED, Draft.of("mail"));
        store.execute(pause(insert(Draft.of("mail").due(at(10)))));

        Claimed claimed = claim(at(60), 9, any("mail"));

        assertThat(claimed.jobs()).isEmpty();
        assertThat(claimed.nextDue()).as("a paused job's time tells nothing").isNull();
    }

    @Test
    void claimsScheduledJobsOnceTheyAreDue() {
        JobId late = insert(Draft.of("mail").due(at(11)));
        JobId onTime = insert(Draft.of("mail").due(at(10)));
        JobId early = insert(Draft.of("mail").due(at(9)));

        assertThat(ids(claim(at(8), 9, any("mail")))).isEmpty();
        assertThat(ids(claim(at(10), 9, any("mail")))).as("in the order of submission, not of time")
                .containsExactly(onTime, early);
        assertThat(job(onTime).dueAt()).isEmpty();
        assertThat(job(late).state()).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void queuesDueJobsThatItDoesNotClaim() {
        JobId unwanted = insert(Draft.of("fax").due(at(10)));
        JobId paused = insert(Draft.of("mail").queue("slow").due(at(10)));
        store.execute(new Command.PauseQueue("slow", ACTOR, T0));

        assertThat(claim(at(10), 9, any("mail")).jobs()).isEmpty();

        for (JobId id : List.of(unwanted, paused)) {
            assertThat(job(id).state()).isEqualTo(JobState.QUEUED);
            assertThat(job(id).dueAt()).isEmpty();
            assertThat(story(id).history()).isEmpty();
        }
    }

    @Test
    void tellsWhenTheNextJobIsDue() {
        assertThat(claim(T0, 9, any("mail")).nextDue()).isNull();
        insert(Draft.of("fax").due(at(30)));
        insert(Draft.of("mail").due(at(10)));
        insert(Draft.of("mail").due(at(20)));

        assertThat(claim(T0, 0).nextDue()).isEqualTo(at(10));
        assertThat(claim(at(10), 9, any("mail")).nextDue()).isEqualTo(at(20));
        assertThat(claim(at(25), 9, any("mail")).nextDue()).as("of any type").isEqualTo(at(30));
        assertThat(claim(at(30), 9, any("mail")).nextDue()).isNull();
    }

    @Test
    void startsEachAttemptAfreshUnderANewNumber() {
        Draft draft = Draft.of("mail");
        Fence first = running(draft);
        applied(new Change.Progressed(first, new Progress(1, 2, "half")));
        applied(ended(first, Attempt.End.FAILED, new Transition.Retry(at(10), "Retry 1/2")));

        Fence second = claimAgain(draft.id(), at(10));

        assertThat(second.attempt()).isEqualTo(2);
        Job job = job(draft.id());
        assertThat(job.counts()).isEqualTo(new Job.Counts(2, 1, 0));
        assertThat(job.status())
                .isEqualTo(new Job.Status(null, NODE, at(10), null, null, null, null, BOOM, null));
    }

    @Test
    void keepsSuspectsApartFromTheOthers() {
        Draft crashed = Draft.of("mail");
        running(crashed);
        JobId fresh = insert(Draft.of("mail"));
        crash(new Transition.Requeue("node died"), true, at(5));

        assertThat(ids(claim(at(6), 9, any("mail")))).containsExactly(fresh);
        Claimed suspects = claim(at(6), 9, suspects("mail"));
        assertThat(ids(suspects)).containsExactly(crashed.id());
        assertThat(suspects.jobs().getFirst().suspect()).isTrue();
    }

    @Test
    void limitsSuspectsAndOthersOfATypeSeparately() {
        for (int i = 0; i < 2; i++) {
            insert(Draft.of("mail"));
        }
        claim(T0, 2, any("mail"));
        crash(new Transition.Requeue("node died"), true, at(5));
        for (int i = 0; i < 3; i++) {
            insert(Draft.of("mail"));
        }

        Claimed claimed = claim(at(6), 9, new Wanted("mail", true, 1), new Wanted("mail", false, 2));

        assertThat(claimed.jobs()).extracting(Claimed.Claim::suspect).containsExactly(true, false, false);
    }
}
