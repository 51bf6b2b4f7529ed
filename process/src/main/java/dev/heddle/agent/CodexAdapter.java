package dev.heddle.agent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Event.UsageScope;
import dev.heddle.conversation.Speaker;
import dev.heddle.conversation.Tokens;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Codex: {@code codex exec --json}. It reports neither cost nor model. */
final class CodexAdapter implements Adapter {

    @Override
    public String name() {
        return "codex";
    }

    @Override
    public String program() {
        return "codex";
    }

    /** The session follows {@code --}, so it cannot be mistaken for an option. */
    @Override
    public List<String> arguments(Invocation invocation) {
        List<String> arguments = new ArrayList<>(List.of("exec", "--json"));
        if (invocation.model() != null) {
            arguments.add("--model=" + invocation.model());
        }
        arguments.addAll(invocation.extra());
        if (invocation.resumed()) {
            arguments.addAll(List.of("resume", "--", String.valueOf(invocation.session())));
        }
        arguments.add("-");
        return arguments;
    }

    @Override
    public Set<String> allowedVariables() {
        return Set.of("OPENAI_*", "CODEX_*");
    }

    @Override
    public EventParser parser() {
        return new Parser();
    }

    /** Remembers which tool calls have started: Codex reports some of them only when they are complete. */
    private static final class Parser implements EventParser {

        private final Set<String> startedCalls = new HashSet<>();

        @Override
        public List<Event> parse(String line) {
            return LenientJson.parse(line).map(event -> parse(event, line))
                    .orElseGet(() -> List.of(new Event.Noise(line)));
        }

        private List<Event> parse(LenientJson event, String line) {
            return switch (event.text("type")) {
                case "thread.started" -> List.of(new Event.Started(event.textOrNull("thread_id"), null));
                case "turn.started", "item.updated" -> List.of();
                case "turn.completed" ->
                    List.of(new Event.TokenUsage("session", null, tokens(event.child("usage")), UsageScope.SESSION),
                            new Event.Result(true, "turn.completed", null, null, null));
                case "turn.failed" -> List.of(
                        new Event.Result(false, "turn.failed", event.child("error").textOrNull("message"), null, null));
                case "error" -> List.of(new Event.Notice(event.text("message")));
                case "item.started" -> started(event.child("item"));
                case "item.completed" -> completed(event.child("item"), line);
                case String other -> List.of(new Event.Unknown(other, line));
            };
        }

        private List<Event> started(LenientJson item) {
            Event.ToolCall call = call(item);
            if (call == null || !startedCalls.add(call.id())) {
                return List.of();
            }
            return List.of(call);
        }

        private List<Event> completed(LenientJson item, String line) {
            return switch (item.text("type")) {
                case "agent_message" -> List.of(new Event.Message(Speaker.AGENT, item.text("text"), false, null));
                case "reasoning" -> List.of(new Event.Thinking(item.text("text"), null));
                case "error" -> List.of(new Event.Notice(item.text("message")));
                case String other -> toolResult(item, other, line);
            };
        }

        private List<Event> toolResult(LenientJson item, String type, String line) {
            Event.ToolCall call = call(item);
            if (call == null) {
                return List.of(new Event.Unknown("item.completed/" + type, line));
            }
            boolean failed = item.text("status").equals("failed") || item.number("exit_code") != 0 || item.has("error");
            Event answer = new Event.ToolResult(call.id(), output(item, type), failed, null);
            return startedCalls.remove(call.id()) ? List.of(answer) : List.of(call, answer);
        }

        /** Returns the tool call; null if the item is something else. */
        private static Event.@Nullable ToolCall call(LenientJson item) {
            String id = item.text("id");
            return switch (item.text("type")) {
                case "command_execution" ->
                    new Event.ToolCall(id, "shell", object("command", item.text("command")), null);
                case "file_change" -> new Event.ToolCall(id, "file_change", item.child("changes").node(), null);
                case "mcp_tool_call" -> new Event.ToolCall(id, item.text("server") + "." + item.text("tool"),
                        item.child("arguments").node(), null);
                case "web_search" -> new Event.ToolCall(id, "web_search", object("query", item.text("query")), null);
                case "todo_list" -> new Event.ToolCall(id, "todo_list", item.child("items").node(), null);
                default -> null;
            };
        }

        private static String output(LenientJson item, String type) {
            return switch (type) {
                case "command_execution" -> item.text("aggregated_output");
                case "mcp_tool_call" -> item.has("error") ? item.child("error").text("message")
                        : item.child("result").joinedText("content");
                default -> item.text("status");
            };
        }

        private static JsonNode object(String name, String value) {
            return JsonMapper.shared().createObjectNode().put(name, value);
        }

        /** Codex counts cached tokens as input too, and reasoning tokens as output. */
        private static Tokens tokens(LenientJson usage) {
            long cached = usage.number("cached_input_tokens");
            return new Tokens(Math.max(0, usage.number("input_tokens") - cached), 0, cached,
                    usage.number("output_tokens"));
        }
    }
}
