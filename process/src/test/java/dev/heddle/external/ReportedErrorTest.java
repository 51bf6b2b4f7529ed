package dev.heddle.external;

import java.time.Duration;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobException;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ReportedErrorTest {

    private static RuntimeException error(int code, String message, String data) {
        return ReportedError.of(new RpcError(code, message, JsonMapper.shared().readTree(data)));
    }

    @Test
    void becomesAFailureOfTheReportedCategory() {
        assertThat(error(RpcError.JOB_FAILED, "rate limited", """
                {"category": "transient", "retryAfterMs": 1500, "failedStep": "fetch", "recoveryHint": "wait"}"""))
                .isInstanceOfSatisfying(JobException.class, failure -> {
                    assertThat(failure.category()).isEqualTo(FailureCategory.TRANSIENT);
                    assertThat(failure).hasMessage("rate limited");
                    assertThat(failure.retryAfter()).contains(Duration.ofMillis(1500));
                    assertThat(failure.failedStep()).contains("fetch");
                    assertThat(failure.recoveryHint()).contains("wait");
                });
    }

    @Test
    void isPermanentIfTheWorkerDoesNotKnowTheJob() {
        assertThat(error(RpcError.METHOD_NOT_FOUND, "no such type", "{}")).isInstanceOfSatisfying(JobException.class,
                failure -> assertThat(failure.category()).isEqualTo(FailureCategory.PERMANENT));
    }

    @Test
    void isLeftToThePoolToClassifyWithoutACategory() {
        assertThat(error(RpcError.JOB_FAILED, "", "{\"details\": \"Traceback\"}"))
                .isExactlyInstanceOf(ReportedError.class).hasMessage("failed with code -32000")
                .hasToString("failed with code -32000\nTraceback");
    }
}
