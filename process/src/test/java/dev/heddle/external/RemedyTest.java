package dev.heddle.external;

import dev.heddle.external.Remedy.ForJob;
import dev.heddle.external.Remedy.ForWorker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RemedyTest {

    private static void expect(Trouble trouble, ForWorker worker, ForJob job) {
        assertThat(Remedy.of(trouble)).as("%s", trouble).isEqualTo(new Remedy(worker, job));
    }

    /** The recovery strategy, line by line. */
    @Test
    void followsTheTable() {
        expect(new Trouble.Exited(), ForWorker.REPLACE, ForJob.WORKER_LOST);
        expect(new Trouble.HealthCheckFailed(1), ForWorker.DEGRADE, ForJob.NONE);
        expect(new Trouble.HealthCheckFailed(2), ForWorker.DEGRADE, ForJob.NONE);
        expect(new Trouble.HealthCheckFailed(3), ForWorker.REPLACE, ForJob.NONE);
        expect(new Trouble.NotStarted(), ForWorker.REPLACE_LATER, ForJob.ELSEWHERE);
        expect(new Trouble.JobTimedOut(), ForWorker.KILL_AND_REPLACE, ForJob.TIMED_OUT);
        expect(new Trouble.ProtocolBroken(1), ForWorker.DEGRADE, ForJob.TRANSIENT);
        expect(new Trouble.ProtocolBroken(2), ForWorker.DEGRADE, ForJob.TRANSIENT);
        expect(new Trouble.ProtocolBroken(3), ForWorker.REPLACE, ForJob.TRANSIENT);
        expect(new Trouble.JobFailed(), ForWorker.STAY, ForJob.BY_CATEGORY);
        expect(new Trouble.Fatal(), ForWorker.REPLACE, ForJob.BY_CATEGORY);
    }
}
