package dev.heddle.testkit;

import java.util.Arrays;
import java.util.List;

import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.Claimed;
import dev.heddle.store.Fence;
import dev.heddle.store.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs that follow the end of another: stored in its commit, or not at all. */
abstract class SequelContract extends StoreFixture {

    private final Draft first = Draft.of("order");
    private final Draft next = Draft.of("invoice");

    SequelContract(StoreContract door) {
        super(door);
    }

    private static Change.Ended followed(Change.Ended end, Draft... sequel) {
        return new Change.Ended(end.fence(), end.execution(), end.transition(), end.saved(),
                Arrays.stream(sequel).map(Draft::job).toList());
    }

    @Test
    void storesWhatFollowsWithTheEnd() {
        Draft dead = Draft.of("order");
        Draft complaint = Draft.of("complaint").tags("sorry");

        assertThat(store.apply(List.of(followed(completion(running(first)), next),
                followed(death(running(dead)), complaint)))).containsOnly(Verdict.APPLIED);

        assertThat(job(first.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(job(next.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(dead.id()).state()).isEqualTo(JobState.FAILED);
        assertThat(job(complaint.id()).spec().tags()).containsExactly("sorry");
        Claimed claimed = claim(at(3), 9, any("invoice"));
        assertThat(claimed.jobs()).as("it can run").hasSize(1);
    }

    @Test
    void storesNothingThatFollowsAnEndWhoseJobWasTakenAway() {
        Fence lost = running(first);
        crash(new Transition.Requeue("node died"), false, at(5));

        assertThat(apply(followed(completion(lost), next))).isEqualTo(Verdict.LOST);

        assertThat(store.find(next.id())).isEmpty();
    }

    @Test
    void storesNothingThatFollowsAJobThatWasCancelledUnderItsAttempt() {
        Fence fence = running(first);
        store.execute(cancel(first.id(), at(2)));

        assertThat(apply(followed(completion(fence), next))).isEqualTo(Verdict.CANCELLED);

        assertThat(store.find(next.id())).isEmpty();
    }

    @Test
    void storesWhatFollowsOnceWhereTheAnswerWasLost() {
        Change.Ended end = followed(completion(running(first)), next);
        applied(end);

        assertThat(apply(end)).isEqualTo(Verdict.REPEATED);
        assertThat(claim(at(3), 9, any("invoice")).jobs()).hasSize(1);
    }

    @Test
    void leavesWhatIsStoredAlreadyAsItIs() {
        Fence fence = running(first);
        insert(next.payload("1"));

        applied(followed(completion(fence), Draft.of("invoice").id(next.id()).payload("2")));

        assertThat(job(first.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(job(next.id()).spec().payload()).isEqualTo("1");
    }

    /** An end of a parent is another statement in some stores. */
    @Test
    void storesWhatFollowsAParent() {
        Draft child = Draft.of("part").parent(first.id());
        Fence fence = running(first);
        insert(child);

        applied(followed(completion(fence), next));

        assertThat(job(child.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(next.id()).state()).isEqualTo(JobState.QUEUED);
    }
}
