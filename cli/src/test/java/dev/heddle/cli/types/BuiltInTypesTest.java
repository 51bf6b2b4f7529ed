package dev.heddle.cli.types;

import java.time.Duration;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class BuiltInTypesTest {

    @AutoClose
    private final Pool pool = BuiltInTypes
            .addTo(Pool.on(new MemoryStore()).retry(RetryPolicy.linear(2, Duration.ofMillis(1)))).open();

    private Job run(String type, String payload) {
        JobHandle<JsonNode> handle = pool.submit(JobType.of(type, JsonNode.class, JsonNode.class),
                JsonMapper.shared().readTree(payload));
        await().until(() -> pool.find(handle.id()).orElseThrow().state().isFinal());
        return pool.find(handle.id()).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            echo  | {"a":[1,null]}                        | {"a":[1,null]}
            echo  | "text"                                | "text"
            sleep | {"seconds":0.15}                      | {"seconds":0.15}
            sleep | {"seconds":0}                         | {"seconds":0.0}
            sleep | {"seconds":0.01,"stubborn":true}      | {"seconds":0.01}
            fail  | {"times":2}                           | "attempt 3 succeeded"
            fail  | {"times":1,"category":"partial"}      | "attempt 2 succeeded"
            fail  | {"times":1,"retryAfter":0.01}         | "attempt 2 succeeded"
            """)
    void completes(String type, String payload, String result) {
        Job job = run(type, payload);
        assertThat(job.state()).as(job.toString()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result()).contains(result);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    fail  | {}                                         | 3 | failed as requested
                    fail  | {"message":"no","category":"permanent"}    | 1 | no
                    fail  | {"category":"sometimes"}                   | 1 | unknown category 'sometimes'; use one of transient, permanent, partial
                    sleep | {"seconds":-1}                             | 1 | sleep needs {"seconds": N} with N from 0 to 1000000; got -1.0
                    sleep | {"second":1}                               | 1 | sleep needs {"seconds": N} with N from 0 to 1000000; got no seconds
                    """)
    void fails(String type, String payload, int attempts, String message) {
        Job job = run(type, payload);
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.counts().attempt()).isEqualTo(attempts);
        assertThat(job.failure().orElseThrow().message()).isEqualTo(message);
    }

    @Test
    void sleepReportsItsProgress() {
        JobHandle<JsonNode> handle = pool.submit(JobType.of("sleep", JsonNode.class, JsonNode.class),
                JsonMapper.shared().readTree("{\"seconds\":60}"));
        await().until(() -> pool.find(handle.id()).orElseThrow().progress()
                .filter(progress -> progress.total() == 60_000).isPresent());
        pool.admin().cancel(handle.id(), "enough");
    }
}
