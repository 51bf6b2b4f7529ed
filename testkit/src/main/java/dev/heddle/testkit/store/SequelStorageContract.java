package dev.heddle.testkit.store;

import java.util.Arrays;
import java.util.List;

import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.Fence;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Sequels: jobs that are stored in the commit that ends another job, or not at all. */
abstract class SequelStorageContract extends StoreFixture {

    private final JobDraft first = JobDraft.of("order");
    private final JobDraft next = JobDraft.of("invoice");

    SequelStorageContract(StoreContract contract) {
        super(contract);
    }

    private static Change.Ended followed(Change.Ended end, JobDraft... sequel) {
        return new Change.Ended(end.fence(), end.execution(), end.transition(), end.saved(),
                Arrays.stream(sequel).map(JobDraft::job).toList());
    }

    @Test
    void storesASequelWithTheEndOfItsJob() {
        JobDraft dead = JobDraft.of("order");
        JobDraft complaint = JobDraft.of("complaint").tags("sorry");

        assertThat(store
                .apply(List.of(followed(completion(running(first)), next), followed(death(running(dead)), complaint))))
                .containsOnly(Verdict.APPLIED);

        assertThat(job(first.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(job(next.id()).state()).isEqualTo(JobState.QUEUED);
        assertThat(job(dead.id()).state()).isEqualTo(JobState.FAILED);
        assertThat(job(complaint.id()).spec().tags()).containsExactly("sorry");
        ClaimResult claimed = claim(at(3), 9, any("invoice"));
        assertThat(claimed.claims()).as("it can be claimed").hasSize(1);
    }

    @Test
    void dropsTheSequelOfAnAttemptThatLostItsJob() {
        Fence lost = running(first);
        crash(new Transition.Requeue("node died"), false, at(5));

        assertThat(apply(followed(completion(lost), next))).isEqualTo(Verdict.LOST);

        assertThat(store.find(next.id())).isEmpty();
    }

    @Test
    void dropsTheSequelOfAJobCancelledDuringItsAttempt() {
        Fence fence = running(first);
        store.execute(cancel(first.id(), at(2)));

        assertThat(apply(followed(completion(fence), next))).isEqualTo(Verdict.CANCELLED);

        assertThat(store.find(next.id())).isEmpty();
    }

    @Test
    void storesASequelOnceIfTheAnswerIsLost() {
        Change.Ended end = followed(completion(running(first)), next);
        applied(end);

        assertThat(apply(end)).isEqualTo(Verdict.REPEATED);
        assertThat(claim(at(3), 9, any("invoice")).claims()).hasSize(1);
    }

    @Test
    void doesNotChangeASequelThatIsAlreadyStored() {
        Fence fence = running(first);
        insert(next.payload("1"));

        applied(followed(completion(fence), JobDraft.of("invoice").id(next.id()).payload("2")));

        assertThat(job(first.id()).state()).isEqualTo(JobState.COMPLETED);
        assertThat(job(next.id()).spec().payload()).isEqualTo("1");
    }

    /** Some stores end a parent with a different statement. */
    @Test
    void storesTheSequelOfAParent() {
        JobDraft child = JobDraft.of("part").parent(first.id());
        Fence fence = running(first);
        insert(child);

        applied(followed(completion(fence), next));

        assertThat(job(child.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(next.id()).state()).isEqualTo(JobState.QUEUED);
    }
}
