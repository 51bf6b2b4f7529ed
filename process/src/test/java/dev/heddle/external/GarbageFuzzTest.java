package dev.heddle.external;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

import dev.heddle.job.Job;
import dev.heddle.testkit.fuzz.Fuzz;
import dev.heddle.testkit.fuzz.Inputs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A real worker that prints garbage during a job: the job ends, and the next one of its group is done. */
class GarbageFuzzTest extends ExternalFixture {

    @Test
    void neverStopsTheGroup() throws Exception {
        open(faultyWorker());
        Fuzz.check(GarbageFuzzTest.class, Duration.ofSeconds(10), Inputs.mutated(WorkerLinesFuzzTest.LINES), lines -> {
            String encoded = Base64.getEncoder().encodeToString((lines + "\n").getBytes(StandardCharsets.UTF_8));

            Job ended = end(pool().submit(WORK.with(job("print").put("base64", encoded)).maxRetries(0)));

            assertThat(ended.state().isFinal()).isTrue();
            assertThat(run(job("well")).path("what").asString()).isEqualTo("well");
        });
    }
}
