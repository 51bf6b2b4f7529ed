package dev.heddle.agent;

import java.util.List;
import java.util.Set;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Speaker;

/** An agent of somebody else's, found by its service file. */
public final class ParrotAdapter implements Adapter {

    @Override
    public String name() {
        return "parrot";
    }

    @Override
    public String program() {
        return "cat";
    }

    @Override
    public List<String> arguments(Assignment assignment) {
        return assignment.extra();
    }

    @Override
    public Set<String> variables() {
        return Set.of("PARROT_*");
    }

    @Override
    public EventReader reader() {
        return line -> List.of(new Event.Said(Speaker.AGENT, line, false, null),
                new Event.Finished(true, "squawk", null, null, null));
    }
}
