package dev.heddle.job;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class JobTypeTest {

    private static final JobType<String, Void> MAIL = JobType.of("mail", String.class);

    @Test
    void isNotChangedByAnOption() {
        JobType<String, Void> quick = MAIL.timeout(Duration.ofSeconds(1)).nonIdempotent();

        assertThat(quick.timeout()).contains(Duration.ofSeconds(1));
        assertThat(quick.isIdempotent()).isFalse();
        assertThat(MAIL.timeout()).isEmpty();
        assertThat(MAIL.isIdempotent()).isTrue();
    }

    @Test
    void keepsGenericTypes() {
        TypeRef<List<String>> names = new TypeRef<>() {};

        assertThat(JobType.of("a", names).payloadType()).isEqualTo(names.type());
        assertThat(JobType.of("a", names).resultType()).isEqualTo(Void.class);
        assertThat(JobType.of("a", String.class, names).resultType()).isEqualTo(names.type());
        assertThat(JobType.of("a", names, String.class).resultType()).isEqualTo(String.class);
    }

    @Test
    void needsAPayloadUnlessThatIsVoid() {
        assertThat(JobType.of("tick").withoutPayload().payload()).isNull();
        assertThatIllegalArgumentException().isThrownBy(MAIL::withoutPayload)
                .withMessage("job type 'mail' needs a payload; use with(payload)");
    }

    @Test
    void keepsTheIdOfARequestThroughItsOptions() {
        JobRequest<String, Void> request = MAIL.with("hello");

        assertThat(request.queue("letters").delay(Duration.ofMinutes(1)).id()).isEqualTo(request.id());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "a\ud800"})
    void refusesANameThatStoresCannotKeep(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> JobType.of(name))
                .withMessageStartingWith(
                        "type must have 1 to 200 characters and no control characters: '");
    }

    @Test
    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    void namesAnArgumentThatIsNull() {
        assertThatNullPointerException().isThrownBy(() -> JobType.of(null)).withMessage("type");
        assertThatNullPointerException().isThrownBy(() -> JobType.of("a", (TypeRef<String>) null))
                .withMessage("payload");
        assertThatNullPointerException().isThrownBy(() -> MAIL.retry(null)).withMessage("policy");
        assertThatNullPointerException().isThrownBy(() -> MAIL.timeout(null)).withMessage("timeout");
        assertThatNullPointerException().isThrownBy(() -> MAIL.with("x").queue(null)).withMessage("queue");
        assertThatNullPointerException().isThrownBy(() -> MAIL.with("x").runAt(null)).withMessage("runAt");
    }
}
