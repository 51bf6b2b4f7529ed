package dev.heddle.agent;

import java.util.List;
import java.util.Set;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Speaker;

/** Any command that answers in plain text: its output is the answer, and its exit code tells whether it succeeded. */
final class PlainTextAdapter implements Adapter {

    @Override
    public String name() {
        return "text";
    }

    @Override
    public String program() {
        return "";
    }

    @Override
    public List<String> arguments(Invocation invocation) {
        return invocation.extra();
    }

    @Override
    public Set<String> allowedVariables() {
        return Set.of();
    }

    @Override
    public boolean reportsCompletion() {
        return false;
    }

    @Override
    public boolean resumesSessions() {
        return false;
    }

    @Override
    public EventParser parser() {
        return line -> List.of(new Event.Message(Speaker.AGENT, line + "\n", true, null));
    }
}
