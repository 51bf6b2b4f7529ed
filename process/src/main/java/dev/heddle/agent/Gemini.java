package dev.heddle.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Speaker;
import dev.heddle.conversation.Tokens;
import org.jspecify.annotations.Nullable;

/** {@code gemini --output-format stream-json}. It says no cost. */
final class Gemini implements Adapter {

    @Override
    public String name() {
        return "gemini";
    }

    @Override
    public String program() {
        return "gemini";
    }

    /** With a standard input that is no terminal it reads the prompt there, and asks nobody anything. */
    @Override
    public List<String> arguments(Assignment assignment) {
        List<String> arguments = new ArrayList<>(List.of("--output-format=stream-json"));
        if (assignment.resumed()) {
            arguments.add("--resume=" + assignment.session());
        }
        if (assignment.model() != null) {
            arguments.add("--model=" + assignment.model());
        }
        arguments.addAll(assignment.extra());
        return arguments;
    }

    @Override
    public Set<String> variables() {
        return Set.of("GEMINI_*", "GOOGLE_*");
    }

    @Override
    public @Nullable String hopeless(int exitCode) {
        return switch (exitCode) {
            case 42 -> "gemini does not accept its input (exit 42)";
            case 53 -> "gemini has reached its limit of turns (exit 53)";
            default -> null;
        };
    }

    @Override
    public EventReader reader() {
        return Gemini::read;
    }

    private static List<Event> read(String line) {
        return List
                .of(Fields.of(line).map(event -> read(event, line)).orElseGet(() -> new Event.Noise(line)));
    }

    private static Event read(Fields event, String line) {
        return switch (event.text("type")) {
            case "init" -> new Event.Started(event.find("session_id"), event.find("model"));
            case "message" -> new Event.Said(event.text("role").equals("user") ? Speaker.USER : Speaker.AGENT,
                    event.text("content"), event.flag("delta"), null);
            case "tool_use" -> new Event.Called(event.text("tool_id"), event.text("tool_name"),
                    event.in("parameters").node(), null);
            case "tool_result" -> new Event.Answered(event.text("tool_id"),
                    event.has("output") ? event.text("output") : event.in("error").text("message"),
                    !event.text("status").equals("success"), null);
            case "error" -> new Event.Noticed(event.text("message"));
            case "result" -> new Event.Finished(event.text("status").equals("success"), event.text("status"),
                    event.in("error").find("message"), null, tokens(event.in("stats")));
            case String other -> new Event.Unknown(other, line);
        };
    }

    /** Here the cached tokens are among the input. */
    private static Tokens tokens(Fields stats) {
        long cached = stats.number("cached");
        return new Tokens(Math.max(0, stats.number("input_tokens") - cached), 0, cached,
                stats.number("output_tokens"));
    }
}
