package dev.heddle.external;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class ProtocolTest {

    private static Message read(String line) {
        return Protocol.read(new Line.Text(line));
    }

    @Test
    void readsWhatAWorkerMaySay() {
        assertThat(read("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":null}"))
                .isEqualTo(new Message.Answer(7, JsonNodeFactory.instance.nullNode()));
        assertThat(read("{\"jsonrpc\":\"2.0\",\"method\":\"progress\",\"params\":{\"id\":7}}"))
                .isInstanceOfSatisfying(Message.Notification.class, message -> {
                    assertThat(message.method()).isEqualTo("progress");
                    assertThat(Message.jobOf(message.params())).isEqualTo(7);
                });
        assertThat(read(
                "{\"jsonrpc\":\"2.0\",\"id\":\"c1\",\"method\":\"checkpoint\",\"params\":{\"id\":7,\"value\":1}}"))
                .isInstanceOfSatisfying(Message.Request.class,
                        message -> assertThat(message.id().asString()).isEqualTo("c1"));
        assertThat(read(
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32000,\"message\":\"no\",\"data\":{\"category\":\"PARTIAL\"}}}"))
                .isInstanceOfSatisfying(Message.Refusal.class, message -> {
                    assertThat(message.id()).isEqualTo(7);
                    assertThat(message.error().code()).isEqualTo(-32000);
                    assertThat(Protocol.text(message.error().data(), "category")).isEqualTo("PARTIAL");
                });
        assertThat(read("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"?\"}}"))
                .isInstanceOfSatisfying(Message.Refusal.class, message -> assertThat(message.id()).isNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "loading model", "{not json", "[1]", "{\"json\":\"rpc\"}",
        "{\"jsonrpc\":\"1.0\",\"id\":1}", "42",
        "{}"})
    void takesOtherOutputForALogLine(String line) {
        assertThat(read(line)).isEqualTo(new Message.Chatter(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"jsonrpc\":\"2.0\",\"id\":}", "{\"jsonrpc\":\"2.0\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":1}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{}}", "{\"jsonrpc\":\"2.0\",\"method\":5}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":[]}",
        "{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,\"result\":1}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":5000000000}}"})
    void knowsABrokenMessage(String line) {
        assertThat(read(line)).isInstanceOf(Message.Broken.class);
    }

    @Test
    void tellsAnOverlongMessageFromAnOverlongLogLine() {
        assertThat(
                Protocol.read(new Line.TooLong("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"xxx", 20_971_520)))
                .isEqualTo(new Message.Broken("a message of 20971520 bytes; the most is 16777216"));
        assertThat(Protocol.read(new Line.TooLong("xxx", 20_971_520)))
                .isEqualTo(new Message.Chatter("xxx… (a line of 20971520 bytes, cut)"));
    }

    @Test
    void writesOneLineWhateverIsInIt() {
        String line = new String(
                Protocol.request(3, "execute", Protocol.object().put("payload", "two\nlines, ü and \u2028")),
                StandardCharsets.UTF_8);
        assertThat(line).endsWith("\n").containsOnlyOnce("\n").contains("two\\nlines, ü");
    }

    @Test
    void survivesAnything() {
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
                    case 2 ->
                        line.insert(at, Long.toString(random.nextLong() >>> random.nextInt(64)).repeat(2));
                    default -> line.insert(at, "{}[],:\"0n".charAt(random.nextInt(9)));
                }
            }
            assertThatCode(() -> {
                if (read(line.toString()) instanceof Message.Request(_, _, JsonNode params)) {
                    var _ = Message.jobOf(params);
                }
            }).as("seed %d: %s", seed, line).doesNotThrowAnyException();
        }
    }
}
