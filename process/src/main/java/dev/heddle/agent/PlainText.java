package dev.heddle.agent;

import java.util.List;
import java.util.Set;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Speaker;

/** Any command that answers in plain text: what it writes is the answer, its exit code says whether it is one. */
final class PlainText implements Adapter {

    @Override
    public String name() {
        return "text";
    }

    /** There is none that would be right for everybody; the configuration names one. */
    @Override
    public String program() {
        return "";
    }

    @Override
    public List<String> arguments(Assignment assignment) {
        return assignment.extra();
    }

    @Override
    public Set<String> variables() {
        return Set.of();
    }

    @Override
    public boolean saysWhenDone() {
        return false;
    }

    @Override
    public EventReader reader() {
        return line -> List.of(new Event.Said(Speaker.AGENT, line + "\n", true, null));
    }
}
