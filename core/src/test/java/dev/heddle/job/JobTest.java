package dev.heddle.job;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class JobTest {

    private record Order(String item, int count) {}

    private static final JobType<List<Order>, Map<String, Integer>> BILL = JobType.of("bill",
            new TypeRef<>() {},
            new TypeRef<>() {});

    private static Job job(String payload, @Nullable String result) {
        JobSpec spec = new JobSpec(JobId.of("019ab000-0000-7000-8000-000000000000"), BILL.name(), "default",
                0, payload,
                Instant.EPOCH, JobSpec.Extras.NONE);
        return new Job(1, spec, Phase.INGEST, Job.Counts.NONE, new JobStatus.Completed(result, Instant.EPOCH),
                null);
    }

    @Test
    void readsItsPayloadAndResultByTheirGenericTypes() {
        Job job = job("[{\"item\":\"cup\",\"count\":2}]", "{\"cup\":7}");

        assertThat(job.payload(BILL)).containsExactly(new Order("cup", 2));
        assertThat(job.result(BILL)).contains(Map.of("cup", 7));
    }

    @Test
    void hasNoResultIfItReturnedNone() {
        assertThat(job("[]", null).result(BILL)).isEmpty();
    }

    @Test
    void readsWithAnotherMapper() {
        JsonMapper lenient = JsonMapper.builder().enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
                .build();

        assertThat(job("{\"item\":\"cup\",\"count\":2}", null).payload(BILL, lenient))
                .containsExactly(new Order("cup", 2));
    }

    @Test
    void saysWhatCannotBeRead() {
        assertThatIllegalArgumentException().isThrownBy(() -> job("[]", "[1]").result(BILL))
                .withMessageStartingWith(
                        "the result of job 019ab000-0000-7000-8000-000000000000 cannot be read as "
                                + "java.util.Map<java.lang.String, java.lang.Integer>: ");
        assertThatIllegalArgumentException().isThrownBy(() -> job("7", null).payload(BILL))
                .withMessageStartingWith(
                        "the payload of job 019ab000-0000-7000-8000-000000000000 cannot be read as ");
    }
}
