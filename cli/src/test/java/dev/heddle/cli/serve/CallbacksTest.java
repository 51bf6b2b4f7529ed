package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.control.ControlJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.heddle.cli.Cli.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Callbacks of job types that {@code heddle.yaml} defines. */
@Timeout(300)
class CallbacksTest {

    @TempDir
    private Path directory;

    private Path home() {
        return directory.resolve(".heddle");
    }

    private Answer call(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", home().toString(), "PATH", System.getenv("PATH"))).call(args);
    }

    /**
     * Jobs exit with the code of their payload. Callbacks fail until the file {@code go} exists, then store the event.
     */
    private void configure() throws IOException {
        String tell = "{command: [sh, -c, 'test -e go || exit 75; cat > part.$HEDDLE_JOB_ID; mv part.$HEDDLE_JOB_ID"
                + " event.$HEDDLE_JOB_ID']}";
        Files.writeString(directory.resolve("heddle.yaml"), """
                types:
                  check:
                    command: [sh, -c, 'exit {{code}}']
                    retries: 0
                    onUnitComplete: %s
                    onUnitFailed: %s
                """.formatted(tell, tell));
    }

    @Test
    void runsCallbacksAfterTheNodeWasKilled() throws Exception {
        configure();
        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            assertThat(call("submit", "check", "--payload", "{\"code\": 0}", "--wait").exit()).isZero();
            assertThat(call("submit", "check", "--payload", "{\"code\": 1}", "--wait").exit()).isEqualTo(1);
            for (String event : List.of("onUnitComplete", "onUnitFailed")) {
                assertThat(ControlJson.tree(call("job", "list", "--type", "check:" + event, "-o", "json").out()))
                        .as(event).hasSize(1);
            }
            node.kill();
        }
        assertThat(CallbackEvents.in(directory)).isEmpty();
        Files.createFile(directory.resolve("go"));

        try (ServedNode node = ServedNode.start(home()).awaitListening()) {
            await().until(() -> CallbackEvents.in(directory).size() == 2);
            assertThat(CallbackEvents.in(directory)).extracting(one -> one.at("/event").asString())
                    .containsExactlyInAnyOrder("onUnitComplete", "onUnitFailed");
            assertThat(CallbackEvents.in(directory)).allSatisfy(one -> {
                assertThat(one.at("/type").asString()).isEqualTo("check");
                assertThat(one.has("batch")).isFalse();
            });
            assertThat(CallbackEvents.in(directory)).extracting(one -> one.at("/unit/state").asString())
                    .containsExactlyInAnyOrder("COMPLETED", "FAILED");
            node.signal("TERM");
            assertThat(node.exitCode()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {webhook: ftp://example.org, secret: s} | is not a URL such as https://example.org/hook
            {webhook: 'http://example.org'}         | has no secret to sign requests
            {secret: s}                             | must have either a command or a webhook
            {webhook: 'http://example.org', secret: whsec_x} | is invalid: what follows whsec_ is not Base64
            {webhook: 'http://example.org', secret: []} | has no secret to sign requests
            {command: [true], allowPrivate: true}   | has allowPrivate, which only webhooks use
            {command: []}                           | has no program to run
            {comand: [true]}                        | unknown key
            """)
    void rejectsInvalidCallbacks(String callback, String message) throws Exception {
        Files.writeString(directory.resolve("heddle.yaml"),
                "types: {check: {command: ['true'], onUnitFailed: " + callback + "}}\n");

        Answer answer = call("serve", "--port", "0");

        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err()).contains("heddle.yaml", message).hasLineCount(1);
    }
}
