package dev.heddle.cli.config;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Signatures that were computed with another implementation of HMAC. */
class WebhookSecretTest {

    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final long TIME = 1_614_265_330;
    private static final String BODY = "{\"test\": 2432232314}";

    @Test
    void signsIdTimeAndBody() {
        WebhookSecret secret = WebhookSecret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLLsw");

        assertThat(secret.sign(ID, TIME, BODY)).isEqualTo("v1,zHRse1aSv4Dja+90scW6bpNFxG5JcJAw/gybj1tYmnw=");
        assertThat(secret.sign(ID + "x", TIME, BODY)).isNotEqualTo(secret.sign(ID, TIME, BODY));
        assertThat(secret.sign(ID, TIME + 1, BODY)).isNotEqualTo(secret.sign(ID, TIME, BODY));
    }

    @Test
    void takesOtherTextAsTheKeyItself() {
        assertThat(WebhookSecret.of("s3cret").sign(ID, TIME, BODY))
                .isEqualTo("v1,+ovFnGFuIqjGihpeGWWpQI81Q0lhpDv9t/URyHZUADQ=");
    }

    @Test
    void refusesABrokenKeyAndShowsNone() {
        assertThatThrownBy(() -> WebhookSecret.of("whsec_not base64")).hasMessage("what follows whsec_ is not Base64");
        assertThat(WebhookSecret.of("s3cret")).hasToString("a secret");
    }
}
