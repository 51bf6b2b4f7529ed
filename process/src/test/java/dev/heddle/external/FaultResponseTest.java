package dev.heddle.external;

import org.junit.jupiter.api.Test;

import static dev.heddle.external.FaultResponse.DEGRADE;
import static dev.heddle.external.FaultResponse.KEEP;
import static dev.heddle.external.FaultResponse.KILL_AND_REPLACE;
import static dev.heddle.external.FaultResponse.REPLACE;
import static org.assertj.core.api.Assertions.assertThat;

class FaultResponseTest {

    private static void expect(WorkerFault fault, FaultResponse response) {
        assertThat(FaultResponse.to(fault)).as("%s", fault).isEqualTo(response);
    }

    /** The table in {@code docs/guides/external-workers.md}, line by line. */
    @Test
    void followsTheDocumentedTable() {
        expect(new WorkerFault.Exited(), REPLACE);
        expect(new WorkerFault.HealthCheckFailed(1), DEGRADE);
        expect(new WorkerFault.HealthCheckFailed(2), DEGRADE);
        expect(new WorkerFault.HealthCheckFailed(3), REPLACE);
        expect(new WorkerFault.NotStarted(), REPLACE);
        expect(new WorkerFault.JobNotStopped(), KILL_AND_REPLACE);
        expect(new WorkerFault.ProtocolViolated(1), DEGRADE);
        expect(new WorkerFault.ProtocolViolated(2), DEGRADE);
        expect(new WorkerFault.ProtocolViolated(3), REPLACE);
        expect(new WorkerFault.JobFailed(), KEEP);
        expect(new WorkerFault.Fatal(), REPLACE);
    }
}
