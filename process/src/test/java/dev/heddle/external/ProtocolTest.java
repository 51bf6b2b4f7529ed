package dev.heddle.external;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class ProtocolTest {

    private static Message parse(String line) {
        return Protocol.parse(new OutputLine.Text(line));
    }

    @Test
    void parsesEveryKindOfMessage() {
        assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null}"))
                .isEqualTo(new Message.Response(7, JsonNodeFactory.instance.nullNode()));
        assertThat(parse("{\"jsonrpc\":\"2.0\",\"method\":\"progress\",\"params\":{\"id\":7}}"))
                .isInstanceOfSatisfying(Message.Notification.class, message -> {
                    assertThat(message.method()).isEqualTo("progress");
                    assertThat(Message.jobRequestId(message.params())).isEqualTo(7);
                });
        assertThat(parse(
                "{\"jsonrpc\":\"2.0\",\"id\":\"c1\",\"method\":\"checkpoint\",\"params\":{\"id\":7,\"value\":1}}"))
                .isInstanceOfSatisfying(Message.Request.class,
                        message -> assertThat(message.id().asString()).isEqualTo("c1"));
        assertThat(parse(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32000,\"message\":\"no\",\"data\":{\"category\":\"PARTIAL\"}}}"))
                .isInstanceOfSatisfying(Message.ErrorResponse.class, message -> {
                    assertThat(message.id()).isEqualTo(7);
                    assertThat(message.error().code()).isEqualTo(-32000);
                    assertThat(Protocol.text(message.error().data(), "category")).isEqualTo("PARTIAL");
                });
        assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"?\"}}"))
                .isInstanceOfSatisfying(Message.ErrorResponse.class, message -> assertThat(message.id()).isNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "loading model", "{not json", "[1]", "{\"json\":\"rpc\"}",
        "{\"jsonrpc\":\"1.0\",\"id\":1}", "42", "{}"})
    void treatsOtherOutputAsLogLines(String line) {
        assertThat(parse(line)).isEqualTo(new Message.LogLine(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"jsonrpc\":\"2.0\",\"id\":}", "{\"jsonrpc\":\"2.0\"}", "{\"jsonrpc\":\"2.0\",\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":1}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{}}", "{\"jsonrpc\":\"2.0\",\"method\":5}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":[]}",
        "{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,\"result\":1}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":5000000000}}"})
    void recognizesMalformedMessages(String line) {
        assertThat(parse(line)).isInstanceOf(Message.Malformed.class);
    }

    @Test
    void keepsTheDigitsOfAResult() {
        assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":[1e400,12345678901234567890.5]}"))
                .isInstanceOfSatisfying(Message.Response.class, message -> assertThat(message.result().toString())
                        .isEqualTo("[1E+400,12345678901234567890.5]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1,\"a\":2}", "1e99999999999", "[1e-99999999999]"})
    void failsTheJobWhoseResultCannotBeStored(String result) {
        assertFailsItsJob(parse("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + result + "}"));
    }

    @Test
    void failsTheJobWhoseResultHasANumberThatIsTooLong() {
        assertFailsItsJob(parse("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + "9".repeat(1_001) + "}"));
        assertThat(parse("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":" + "9".repeat(200_000) + "}"))
                .isInstanceOf(Message.Malformed.class);
    }

    private static void assertFailsItsJob(Message message) {
        assertThat(message).isInstanceOfSatisfying(Message.ErrorResponse.class, failed -> {
            assertThat(failed.id()).isEqualTo(7);
            assertThat(failed.error().message()).startsWith("the result is refused: ");
            assertThat(ReportedError.of(failed.error())).isInstanceOfSatisfying(JobException.class,
                    failure -> assertThat(failure.category()).isEqualTo(FailureCategory.PERMANENT));
        });
    }

    @Test
    void distinguishesOverlongMessagesFromOverlongLogLines() {
        assertThat(Protocol.parse(new OutputLine.TooLong("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"xxx", 20_971_520)))
                .isEqualTo(new Message.Malformed("a message of 20971520 bytes; at most 16777216 are allowed"));
        assertThat(Protocol.parse(new OutputLine.TooLong("xxx", 20_971_520)))
                .isEqualTo(new Message.LogLine("xxx… (line of 20971520 bytes, truncated)"));
    }

    @Test
    void writesEveryMessageAsOneLine() {
        String line = new String(
                Protocol.request(3, "execute", Protocol.object().put("payload", "two\nlines, ü and \u2028")),
                StandardCharsets.UTF_8);
        assertThat(line).endsWith("\n").containsOnlyOnce("\n").contains("two\\nlines, ü");
    }

    @Test
    void neverThrows() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<String> good = List.of(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"checkpoint\",\"params\":{\"id\":7,\"value\":[1,{}]}}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32000,\"message\":\"no\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1}");
        for (int i = 0; i < 20_000; i++) {
            StringBuilder line = new StringBuilder(good.get(random.nextInt(good.size())));
            for (int n = random.nextInt(4); n >= 0; n--) {
                int at = random.nextInt(line.length());
                switch (random.nextInt(4)) {
                    case 0 -> line.deleteCharAt(at);
                    case 1 -> line.setCharAt(at, (char) random.nextInt(0x250));
                    case 2 -> line.insert(at, Long.toString(random.nextLong() >>> random.nextInt(64)).repeat(2));
                    default -> line.insert(at, "{}[],:\"0n".charAt(random.nextInt(9)));
                }
            }
            assertThatCode(() -> {
                if (parse(line.toString()) instanceof Message.Request(_, _, JsonNode params)) {
                    var _ = Message.jobRequestId(params);
                }
            }).as("seed %d: %s", seed, line).doesNotThrowAnyException();
        }
    }
}
