package dev.heddle.agent;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Event.Span;
import dev.heddle.conversation.Speaker;
import dev.heddle.conversation.Tokens;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code codex exec --json}. It says no cost, and no model. */
final class Codex implements Adapter {

    @Override
    public String name() {
        return "codex";
    }

    @Override
    public String program() {
        return "codex";
    }

    @Override
    public List<String> arguments(Assignment assignment) {
        List<String> arguments = new ArrayList<>(List.of("exec", "--json"));
        if (assignment.model() != null) {
            arguments.add("--model=" + assignment.model());
        }
        arguments.addAll(assignment.extra());
        if (assignment.resumed()) {
            arguments.add("resume");
            arguments.add(String.valueOf(assignment.session()));
        }
        arguments.add("-");
        return arguments;
    }

    @Override
    public Set<String> variables() {
        return Set.of("OPENAI_*", "CODEX_*");
    }

    @Override
    public EventReader reader() {
        return new Reader();
    }

    /** Knows which tool calls have begun: some are told of only when they are over. */
    private static final class Reader implements EventReader {

        private final Set<String> begun = new HashSet<>();

        @Override
        public List<Event> read(String line) {
            return Fields.of(line).map(event -> read(event, line))
                    .orElseGet(() -> List.of(new Event.Noise(line)));
        }

        private List<Event> read(Fields event, String line) {
            return switch (event.text("type")) {
                case "thread.started" -> List.of(new Event.Started(event.find("thread_id"), null));
                case "turn.started", "item.updated" -> List.of();
                case "turn.completed" -> List.of(
                        new Event.Used("session", null, tokens(event.in("usage")), Span.SESSION),
                        new Event.Finished(true, "turn.completed", null, null, null));
                case "turn.failed" -> List.of(
                        new Event.Finished(false, "turn.failed", event.in("error").find("message"), null,
                                null));
                case "error" -> List.of(new Event.Noticed(event.text("message")));
                case "item.started" -> started(event.in("item"));
                case "item.completed" -> completed(event.in("item"), line);
                case String other -> List.of(new Event.Unknown(other, line));
            };
        }

        private List<Event> started(Fields item) {
            Event.Called call = call(item);
            if (call == null || !begun.add(call.id())) {
                return List.of();
            }
            return List.of(call);
        }

        private List<Event> completed(Fields item, String line) {
            return switch (item.text("type")) {
                case "agent_message" ->
                    List.of(new Event.Said(Speaker.AGENT, item.text("text"), false, null));
                case "reasoning" -> List.of(new Event.Thought(item.text("text"), null));
                case "error" -> List.of(new Event.Noticed(item.text("message")));
                case String other -> answered(item, other, line);
            };
        }

        private List<Event> answered(Fields item, String type, String line) {
            Event.Called call = call(item);
            if (call == null) {
                return List.of(new Event.Unknown("item.completed/" + type, line));
            }
            boolean failed = item.text("status").equals("failed") || item.number("exit_code") != 0
                    || item.has("error");
            Event answer = new Event.Answered(call.id(), output(item, type), failed, null);
            return begun.remove(call.id()) ? List.of(answer) : List.of(call, answer);
        }

        /** Null where the item is no tool call. */
        private static Event.@Nullable Called call(Fields item) {
            String id = item.text("id");
            return switch (item.text("type")) {
                case "command_execution" ->
                    new Event.Called(id, "shell", object("command", item.text("command")), null);
                case "file_change" -> new Event.Called(id, "file_change", item.in("changes").node(), null);
                case "mcp_tool_call" -> new Event.Called(id, item.text("server") + "." + item.text("tool"),
                        item.in("arguments").node(), null);
                case "web_search" ->
                    new Event.Called(id, "web_search", object("query", item.text("query")), null);
                case "todo_list" -> new Event.Called(id, "todo_list", item.in("items").node(), null);
                default -> null;
            };
        }

        private static String output(Fields item, String type) {
            return switch (type) {
                case "command_execution" -> item.text("aggregated_output");
                case "mcp_tool_call" -> item.has("error") ? item.in("error").text("message")
                        : item.in("result").words("content");
                default -> item.text("status");
            };
        }

        private static JsonNode object(String name, String value) {
            return JsonMapper.shared().createObjectNode().put(name, value);
        }

        /** Here the cached tokens are among the input, and the thoughts among the output. */
        private static Tokens tokens(Fields usage) {
            long cached = usage.number("cached_input_tokens");
            return new Tokens(Math.max(0, usage.number("input_tokens") - cached), 0, cached,
                    usage.number("output_tokens"));
        }
    }
}
