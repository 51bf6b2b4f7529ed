package dev.heddle.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

import dev.heddle.agent.EndRules.Cause;
import dev.heddle.conversation.Conversation;
import dev.heddle.conversation.Price;
import dev.heddle.conversation.Prices;
import dev.heddle.conversation.RunningTotals;
import dev.heddle.conversation.Tokens;

/** A recorded run, replayed as if an agent had just written it. */
record Replay(Adapter adapter, Transcript transcript) {

    static final Instant NOW = Instant.parse("2026-09-21T12:00:00Z");
    /** Round figures, which make costs easy to verify. */
    static final Prices PRICES = new Prices("test-1",
            Map.of("claude-sonnet", price(3, 15), "claude-opus", price(10, 50), "claude-haiku", price(1, 5), "gpt-5",
                    price(1, 10), "gemini-2.5-pro", price(1, 10), "gemini-2.5-flash", price(2, 20)));

    private static Price price(int input, int output) {
        return new Price(BigDecimal.valueOf(input), BigDecimal.valueOf(input),
                BigDecimal.valueOf(input).movePointLeft(1), BigDecimal.valueOf(output));
    }

    /** Loads a recording by its path below {@code resources/dev/heddle/agent}. */
    static Replay of(String name, Path directory) {
        Adapter adapter = Adapters.load().find(name.substring(0, name.indexOf('/'))).orElseThrow();
        try (InputStream in = Objects.requireNonNull(Replay.class.getResourceAsStream(name + ".jsonl"), name)) {
            return of(adapter, new String(in.readAllBytes(), StandardCharsets.UTF_8), directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Replay of(Adapter adapter, String lines, Path directory) {
        try {
            Path file = Files.createTempDirectory(directory, "run").resolve("events.jsonl");
            Files.write(file, lines.getBytes(StandardCharsets.UTF_8));
            return new Replay(adapter, new Transcript(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Conversation conversation() {
        return conversation(new RunningTotals());
    }

    Conversation conversation(String model, Tokens usedBefore) {
        return conversation(new RunningTotals(model, usedBefore));
    }

    private Conversation conversation(RunningTotals totals) {
        try {
            return transcript.read(adapter, totals, PRICES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    AgentOutcome outcome(Cause cause) {
        return EndRules.outcome(adapter, conversation().totals(), cause, NOW);
    }

    AgentOutcome exit(int code) {
        return outcome(new Cause.Exited(code));
    }

}
