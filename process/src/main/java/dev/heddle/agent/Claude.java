package dev.heddle.agent;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Event.Span;
import dev.heddle.conversation.Speaker;
import dev.heddle.conversation.Tokens;
import org.jspecify.annotations.Nullable;

/** {@code claude -p --output-format stream-json}. */
final class Claude implements Adapter {

    @Override
    public String name() {
        return "claude";
    }

    @Override
    public String program() {
        return "claude";
    }

    /** Values stand behind an equals sign: so none can be taken for an option, or for the prompt. */
    @Override
    public List<String> arguments(Assignment assignment) {
        List<String> arguments = new ArrayList<>(List.of("-p", "--output-format=stream-json", "--verbose"));
        if (assignment.session() != null) {
            arguments.add((assignment.resumed() ? "--resume=" : "--session-id=") + assignment.session());
        }
        if (assignment.model() != null) {
            arguments.add("--model=" + assignment.model());
        }
        if (assignment.limits().turns() != null) {
            arguments.add("--max-turns=" + assignment.limits().turns());
        }
        if (assignment.limits().usd() != null) {
            arguments.add("--max-budget-usd=" + assignment.limits().usd().toPlainString());
        }
        arguments.addAll(assignment.extra());
        return arguments;
    }

    @Override
    public Set<String> variables() {
        return Set.of("ANTHROPIC_*", "CLAUDE_CODE_*");
    }

    @Override
    public boolean takesSessionId() {
        return true;
    }

    @Override
    public EventReader reader() {
        return Claude::read;
    }

    private static List<Event> read(String line) {
        return Fields.of(line).map(event -> read(event, line))
                .orElseGet(() -> List.of(new Event.Noise(line)));
    }

    private static List<Event> read(Fields event, String line) {
        return switch (event.text("type")) {
            case "system" -> List.of(event.text("subtype").equals("init")
                    ? new Event.Started(event.find("session_id"), event.find("model"))
                    : new Event.Unknown("system/" + event.text("subtype"), line));
            case "assistant" -> assistant(event.in("message"), event.find("parent_tool_use_id"));
            case "user" -> user(event.in("message"), event.find("parent_tool_use_id"));
            case "result" -> List.of(result(event));
            case "rate_limit_event" -> List.of(limit(event.in("rate_limit_info")));
            case String other -> List.of(new Event.Unknown(other, line));
        };
    }

    private static List<Event> assistant(Fields message, @Nullable String under) {
        List<Event> events = new ArrayList<>();
        for (Fields part : message.all("content")) {
            events.add(switch (part.text("type")) {
                case "text" -> new Event.Said(Speaker.AGENT, part.text("text"), false, under);
                case "thinking" -> new Event.Thought(part.text("thinking"), under);
                case "tool_use" ->
                    new Event.Called(part.text("id"), part.text("name"), part.in("input").node(), under);
                case String other -> new Event.Unknown("assistant/" + other, part.node().toString());
            });
        }
        if (message.has("usage")) {
            events.add(new Event.Used(message.text("id"), message.find("model"), tokens(message.in("usage")),
                    Span.MESSAGE));
        }
        return events;
    }

    private static List<Event> user(Fields message, @Nullable String under) {
        if (!message.in("content").node().isArray()) {
            return List.of(new Event.Said(Speaker.USER, message.text("content"), false, under));
        }
        List<Event> events = new ArrayList<>();
        for (Fields part : message.all("content")) {
            events.add(switch (part.text("type")) {
                case "tool_result" -> new Event.Answered(part.text("tool_use_id"), part.words("content"),
                        part.flag("is_error"), under);
                case "text" -> new Event.Said(Speaker.USER, part.text("text"), false, under);
                case String other -> new Event.Unknown("user/" + other, part.node().toString());
            });
        }
        return events;
    }

    private static Event result(Fields event) {
        boolean success = event.text("subtype").equals("success") && !event.flag("is_error");
        String text = event.find("result");
        if (text == null && event.has("errors")) {
            text = event.all("errors").stream().map(error -> error.node().asString(""))
                    .collect(Collectors.joining("; "));
        }
        Tokens byModel = event.all("modelUsage").stream().map(Claude::modelUsage).reduce(Tokens.NONE,
                Tokens::plus);
        Tokens tokens = tokens(event.in("usage"));
        return new Event.Finished(success, event.text("subtype"), text, event.usd("total_cost_usd"),
                byModel.total() > tokens.total() ? byModel : tokens);
    }

    private static Tokens tokens(Fields usage) {
        return new Tokens(usage.number("input_tokens"), usage.number("cache_creation_input_tokens"),
                usage.number("cache_read_input_tokens"), usage.number("output_tokens"));
    }

    private static Tokens modelUsage(Fields usage) {
        return new Tokens(usage.number("inputTokens"), usage.number("cacheCreationInputTokens"),
                usage.number("cacheReadInputTokens"), usage.number("outputTokens"));
    }

    private static Event limit(Fields info) {
        long resets = info.number("resetsAt");
        return new Event.Limited(info.text("status"),
                resets == 0 || resets > Instant.MAX.getEpochSecond() ? null
                        : Instant.ofEpochSecond(resets));
    }
}
