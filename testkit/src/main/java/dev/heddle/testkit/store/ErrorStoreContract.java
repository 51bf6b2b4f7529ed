package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.stats.ErrorCount;
import dev.heddle.stats.ErrorFingerprint;
import dev.heddle.stats.ErrorGroup;
import dev.heddle.stats.ErrorStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.Change;
import dev.heddle.store.CommandResult;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Failures with the same fingerprint are one group, and their dead letters are found by it. */
abstract class ErrorStoreContract extends StoreFixture {

    ErrorStoreContract(StoreContract contract) {
        super(contract);
    }

    private ErrorStore errors() {
        return capability(ErrorStore.class);
    }

    private static ErrorFingerprint print(String message) {
        return ErrorFingerprint.of("mail", Failure.of(FailureCategory.TRANSIENT, message));
    }

    private static ErrorCount count(String message, long failures, Instant at) {
        return new ErrorCount(print(message), failures, at, at, JobId.of(new UUID(0, failures).toString()),
                message + "!");
    }

    @Test
    void addsFailuresToTheirGroup() {
        errors().addErrors(List.of(count("boom", 2, at(0)), count("bang", 1, at(1))));
        errors().addErrors(List.of(count("boom", 3, at(3_700))));
        assertThat(errors().errors(null, 10)).extracting(group -> group.fingerprint().message())
                .containsExactly("boom", "bang");
        ErrorGroup boom = errors().errors("mail", 1).getFirst();
        assertThat(boom.fingerprint()).isEqualTo(print("boom"));
        assertThat(boom.failures()).isEqualTo(5);
        assertThat(boom.firstSeen()).isEqualTo(at(0));
        assertThat(boom.lastSeen()).isEqualTo(at(3_700));
        assertThat(boom.lastJob()).isEqualTo(count("boom", 3, at(0)).lastJob());
        assertThat(boom.sample()).isEqualTo("boom!");
        assertThat(boom.hours()).containsExactly(new ErrorGroup.Hour(at(0), 2), new ErrorGroup.Hour(at(3_600), 3));
        assertThat(errors().errors("fax", 10)).isEmpty();
    }

    @Test
    void keepsNotesWhenTheStoreIsReopenedAndWhenMoreFailuresCome() {
        String id = print("boom").id();
        errors().addErrors(List.of(count("boom", 2, at(0))));
        assertThat(errors().describeError(id, "known, wait for the fix", "ann")).get()
                .satisfies(group -> assertThat(group.note()).isEqualTo("known, wait for the fix"));
        restart(at(9));
        errors().addErrors(List.of(count("boom", 1, at(5))));
        assertThat(errors().findErrors(id)).singleElement().satisfies(group -> {
            assertThat(group.note()).isEqualTo("known, wait for the fix");
            assertThat(group.assignee()).isEqualTo("ann");
            assertThat(group.failures()).isEqualTo(3);
        });
        assertThat(errors().describeError(id, null, null)).get()
                .satisfies(group -> assertThat(group.note()).isNull());
        assertThat(errors().describeError("no-such", "x", null)).isEmpty();
    }

    @Test
    void findsGroupsByTheBeginningOfTheirFingerprint() {
        errors().addErrors(IntStream.range(0, 40).mapToObj(i -> count("error " + (char) ('a' + i), 1, at(i))).toList());
        String id = print("error a").id();
        assertThat(errors().findErrors(id.substring(0, 8))).extracting(group -> group.fingerprint().id())
                .containsExactly(id);
        assertThat(errors().findErrors("")).hasSize(2);
        assertThat(errors().findErrors("%")).isEmpty();
    }

    /** Returns a message for each number, without digits. */
    private static String numbered(int number) {
        return "error " + (char) ('a' + number / 26) + (char) ('a' + number % 26);
    }

    @Test
    void dropsTheGroupThatWasNotSeenForLongest() {
        errors().addErrors(IntStream.range(0, ErrorStore.MOST_GROUPS)
                .mapToObj(i -> count(numbered(i), 1, at(i))).toList());
        errors().addErrors(List.of(count(numbered(0), 1, at(5_000)), count("one more", 1, at(5_001))));
        List<ErrorGroup> kept = errors().errors(null, 2_000);
        assertThat(kept).hasSize(ErrorStore.MOST_GROUPS);
        assertThat(kept).extracting(ErrorGroup::fingerprint).startsWith(print("one more"), print(numbered(0)))
                .doesNotContain(print(numbered(1)));
    }

    private JobId dead(String fingerprint) {
        JobDraft draft = JobDraft.of("mail");
        Change.Ended end = ended(running(draft), Attempt.End.FAILED, new Transition.Fail("no retries left"));
        applied(new Change.Ended(end.fence(), end.execution(), end.transition(), false, List.of(), fingerprint));
        return draft.id();
    }

    @Test
    void listsRetriesAndDeletesDeadLettersByFingerprint() {
        ErrorStore errors = errors();
        JobId one = dead("aaa");
        JobId other = dead("bbb");
        JobId two = dead("aaa");
        dead(JobDraft.of("mail"));
        assertThat(errors.deadLetters("aaa", 0, 10)).extracting(Job::id).containsExactly(two, one);
        assertThat(errors.deadLetters("aaa", 0, 1)).extracting(Job::id).containsExactly(two);
        assertThat(errors.deadLetters("aaa", job(two).seq(), 10)).extracting(Job::id).containsExactly(one);

        assertThat(store.execute(new AdminCommand.RetryErrors("aaa", job(two).seq(), 10, ACTOR, at(9))))
                .isEqualTo(new CommandResult.Done(1));
        assertThat(job(one).state()).isEqualTo(JobState.QUEUED);
        assertThat(errors.deadLetters("aaa", 0, 10)).extracting(Job::id).containsExactly(two);

        assertThat(store.execute(new AdminCommand.PurgeErrors("aaa", 10, ACTOR, at(9))))
                .isEqualTo(new CommandResult.Done(1));
        assertThat(store.find(two)).isEmpty();
        assertThat(job(other).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void aRetriedDeadLetterLeavesItsGroup() {
        ErrorStore errors = errors();
        JobId id = dead("aaa");
        store.execute(new AdminCommand.Retry(id, ACTOR, at(9)));
        applied(death(start(claimAgain(id, at(10)))));
        assertThat(errors.deadLetters("aaa", 0, 10)).isEmpty();
        assertThat(job(id).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void aFingerprintIsOnlyKeptOfADeadLetter() {
        JobDraft draft = JobDraft.of("mail");
        Change.Ended end = ended(running(draft), Attempt.End.FAILED,
                new Transition.Retry(Duration.ofSeconds(1), "again"));
        applied(new Change.Ended(end.fence(), end.execution(), end.transition(), false, List.of(), "aaa"));
        assertThat(errors().deadLetters("aaa", 0, 10)).isEmpty();
    }
}
