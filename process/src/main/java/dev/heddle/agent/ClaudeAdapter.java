package dev.heddle.agent;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Event.UsageScope;
import dev.heddle.conversation.Speaker;
import dev.heddle.conversation.Tokens;
import org.jspecify.annotations.Nullable;

/** Claude Code: {@code claude -p --output-format=stream-json}. */
final class ClaudeAdapter implements Adapter {

    @Override
    public String name() {
        return "claude";
    }

    @Override
    public String program() {
        return "claude";
    }

    /** Values follow an equals sign, so none can be mistaken for an option or for the prompt. */
    @Override
    public List<String> arguments(Invocation invocation) {
        List<String> arguments = new ArrayList<>(List.of("-p", "--output-format=stream-json", "--verbose"));
        if (invocation.session() != null) {
            arguments.add((invocation.resumed() ? "--resume=" : "--session-id=") + invocation.session());
        }
        if (invocation.model() != null) {
            arguments.add("--model=" + invocation.model());
        }
        if (invocation.limits().turns() != null) {
            arguments.add("--max-turns=" + invocation.limits().turns());
        }
        if (invocation.limits().usd() != null) {
            arguments.add("--max-budget-usd=" + invocation.limits().usd().toPlainString());
        }
        arguments.addAll(invocation.extra());
        return arguments;
    }

    @Override
    public Set<String> allowedVariables() {
        return Set.of("ANTHROPIC_*", "CLAUDE_CODE_*");
    }

    @Override
    public boolean acceptsSessionId() {
        return true;
    }

    @Override
    public EventParser parser() {
        return ClaudeAdapter::parse;
    }

    private static List<Event> parse(String line) {
        return LenientJson.parse(line).map(event -> parse(event, line)).orElseGet(() -> List.of(new Event.Noise(line)));
    }

    private static List<Event> parse(LenientJson event, String line) {
        return switch (event.text("type")) {
            case "system" -> List.of(event.text("subtype").equals("init")
                    ? new Event.Started(event.textOrNull("session_id"), event.textOrNull("model"))
                    : new Event.Unknown("system/" + event.text("subtype"), line));
            case "assistant" -> assistant(event.child("message"), event.textOrNull("parent_tool_use_id"));
            case "user" -> user(event.child("message"), event.textOrNull("parent_tool_use_id"));
            case "result" -> List.of(result(event));
            case "rate_limit_event" -> List.of(limit(event.child("rate_limit_info")));
            case String other -> List.of(new Event.Unknown(other, line));
        };
    }

    private static List<Event> assistant(LenientJson message, @Nullable String parentCall) {
        List<Event> events = new ArrayList<>();
        for (LenientJson part : message.children("content")) {
            events.add(switch (part.text("type")) {
                case "text" -> new Event.Message(Speaker.AGENT, part.text("text"), false, parentCall);
                case "thinking" -> new Event.Thinking(part.text("thinking"), parentCall);
                case "tool_use" ->
                    new Event.ToolCall(part.text("id"), part.text("name"), part.child("input").node(), parentCall);
                case String other -> new Event.Unknown("assistant/" + other, part.node().toString());
            });
        }
        if (message.has("usage")) {
            events.add(new Event.TokenUsage(message.text("id"), message.textOrNull("model"),
                    tokens(message.child("usage")), UsageScope.MESSAGE));
        }
        return events;
    }

    private static List<Event> user(LenientJson message, @Nullable String parentCall) {
        if (!message.child("content").node().isArray()) {
            return List.of(new Event.Message(Speaker.USER, message.text("content"), false, parentCall));
        }
        List<Event> events = new ArrayList<>();
        for (LenientJson part : message.children("content")) {
            events.add(switch (part.text("type")) {
                case "tool_result" -> new Event.ToolResult(part.text("tool_use_id"), part.joinedText("content"),
                        part.flag("is_error"), parentCall);
                case "text" -> new Event.Message(Speaker.USER, part.text("text"), false, parentCall);
                case String other -> new Event.Unknown("user/" + other, part.node().toString());
            });
        }
        return events;
    }

    private static Event result(LenientJson event) {
        boolean success = event.text("subtype").equals("success") && !event.flag("is_error");
        String text = event.textOrNull("result");
        if (text == null && event.has("errors")) {
            text = event.children("errors").stream().map(error -> error.node().asString(""))
                    .collect(Collectors.joining("; "));
        }
        Tokens byModel = event.children("modelUsage").stream().map(ClaudeAdapter::modelUsage).reduce(Tokens.NONE,
                Tokens::plus);
        Tokens tokens = tokens(event.child("usage"));
        return new Event.Result(success, event.text("subtype"), text, event.usd("total_cost_usd"),
                byModel.total() > tokens.total() ? byModel : tokens);
    }

    private static Tokens tokens(LenientJson usage) {
        return new Tokens(usage.number("input_tokens"), usage.number("cache_creation_input_tokens"),
                usage.number("cache_read_input_tokens"), usage.number("output_tokens"));
    }

    private static Tokens modelUsage(LenientJson usage) {
        return new Tokens(usage.number("inputTokens"), usage.number("cacheCreationInputTokens"),
                usage.number("cacheReadInputTokens"), usage.number("outputTokens"));
    }

    private static Event limit(LenientJson info) {
        long resets = info.number("resetsAt");
        return new Event.RateLimit(info.text("status"),
                resets == 0 || resets > Instant.MAX.getEpochSecond() ? null : Instant.ofEpochSecond(resets));
    }
}
