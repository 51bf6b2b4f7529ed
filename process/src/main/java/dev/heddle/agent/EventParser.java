package dev.heddle.agent;

import java.util.List;

import dev.heddle.conversation.Event;

/** Parses the output of one run, line by line. */
@FunctionalInterface
public interface EventParser {

    /**
     * Parses one line. Never throws: a line that the parser does not understand becomes {@link Event.Unknown} or
     * {@link Event.Noise}.
     */
    List<Event> parse(String line);
}
