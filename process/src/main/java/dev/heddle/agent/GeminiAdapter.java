package dev.heddle.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Speaker;
import dev.heddle.conversation.Tokens;
import org.jspecify.annotations.Nullable;

/** Gemini: {@code gemini --output-format=stream-json}. It reports no cost. */
final class GeminiAdapter implements Adapter {

    @Override
    public String name() {
        return "gemini";
    }

    @Override
    public String program() {
        return "gemini";
    }

    /** Without a terminal, gemini reads its prompt from standard input and asks no questions. */
    @Override
    public List<String> arguments(Invocation invocation) {
        List<String> arguments = new ArrayList<>(List.of("--output-format=stream-json"));
        if (invocation.resumed()) {
            arguments.add("--resume=" + invocation.session());
        }
        if (invocation.model() != null) {
            arguments.add("--model=" + invocation.model());
        }
        arguments.addAll(invocation.extra());
        return arguments;
    }

    @Override
    public Set<String> allowedVariables() {
        return Set.of("GEMINI_*", "GOOGLE_*");
    }

    @Override
    public @Nullable String permanentFailure(int exitCode) {
        return switch (exitCode) {
            case 42 -> "gemini rejected its input (exit code 42)";
            case 53 -> "gemini reached its turn limit (exit code 53)";
            default -> null;
        };
    }

    @Override
    public EventParser parser() {
        return GeminiAdapter::parse;
    }

    private static List<Event> parse(String line) {
        return List.of(LenientJson.parse(line).map(event -> parse(event, line)).orElseGet(() -> new Event.Noise(line)));
    }

    private static Event parse(LenientJson event, String line) {
        return switch (event.text("type")) {
            case "init" -> new Event.Started(event.textOrNull("session_id"), event.textOrNull("model"));
            case "message" -> new Event.Message(event.text("role").equals("user") ? Speaker.USER : Speaker.AGENT,
                    event.text("content"), event.flag("delta"), null);
            case "tool_use" -> new Event.ToolCall(event.text("tool_id"), event.text("tool_name"),
                    event.child("parameters").node(), null);
            case "tool_result" -> new Event.ToolResult(event.text("tool_id"),
                    event.has("output") ? event.text("output") : event.child("error").text("message"),
                    !event.text("status").equals("success"), null);
            case "error" -> new Event.Notice(event.text("message"));
            case "result" -> new Event.Result(event.text("status").equals("success"), event.text("status"),
                    event.child("error").textOrNull("message"), null, tokens(event.child("stats")));
            case String other -> new Event.Unknown(other, line);
        };
    }

    /** Gemini counts cached tokens as input too. */
    private static Tokens tokens(LenientJson stats) {
        long cached = stats.number("cached");
        return new Tokens(Math.max(0, stats.number("input_tokens") - cached), 0, cached, stats.number("output_tokens"));
    }
}
