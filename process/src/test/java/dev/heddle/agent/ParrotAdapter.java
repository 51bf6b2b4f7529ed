package dev.heddle.agent;

import java.util.List;
import java.util.Set;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Speaker;

/** An adapter that is not built in, found through its service file. */
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
    public List<String> arguments(Invocation invocation) {
        return invocation.extra();
    }

    @Override
    public Set<String> allowedVariables() {
        return Set.of("PARROT_*");
    }

    @Override
    public EventParser parser() {
        return line -> List.of(new Event.Message(Speaker.AGENT, line, false, null),
                new Event.Result(true, "squawk", null, null, null));
    }
}
