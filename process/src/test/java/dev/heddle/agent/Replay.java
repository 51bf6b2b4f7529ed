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
import dev.heddle.conversation.Tally;
import dev.heddle.conversation.Tokens;

/** A recorded run, read as if an agent had just written it. */
record Replay(Adapter adapter, Transcript transcript) {

    static final Instant NOW = Instant.parse("2026-09-21T12:00:00Z");
    /** Round figures, so that costs can be checked in the head. */
    static final Prices PRICES = new Prices("test-1",
            Map.of("claude-sonnet", price(3, 15), "claude-opus", price(10, 50),
                    "claude-haiku", price(1, 5), "gpt-5", price(1, 10), "gemini-2.5-pro", price(1, 10),
                    "gemini-2.5-flash",
                    price(2, 20)));

    private static Price price(int input, int output) {
        return new Price(BigDecimal.valueOf(input), BigDecimal.valueOf(input),
                BigDecimal.valueOf(input).movePointLeft(1),
                BigDecimal.valueOf(output));
    }

    /** A fixture, by the path below {@code resources/dev/heddle/agent}. */
    static Replay of(String name, Path directory) {
        Adapter adapter = Adapters.here().find(name.substring(0, name.indexOf('/'))).orElseThrow();
        try (InputStream in = Objects.requireNonNull(Replay.class.getResourceAsStream(name + ".jsonl"),
                name)) {
            return of(adapter, new String(in.readAllBytes(), StandardCharsets.UTF_8), directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Replay of(Adapter adapter, String lines, Path directory) {
        try {
            Path file = Files.createTempDirectory(directory, "run").resolve("events.jsonl");
            Files.writeString(file, lines);
            return new Replay(adapter, new Transcript(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Conversation conversation() {
        return conversation(new Tally());
    }

    Conversation conversation(String model, Tokens before) {
        return conversation(new Tally(model, before));
    }

    private Conversation conversation(Tally tally) {
        try {
            return transcript.read(adapter, tally, PRICES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Ending ending(Cause cause) {
        return EndRules.ending(adapter, conversation().totals(), cause, NOW);
    }

    Ending exit(int code) {
        return ending(new Cause.Exited(code));
    }

}
