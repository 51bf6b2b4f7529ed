package dev.heddle.agent;

import java.util.List;

import dev.heddle.conversation.Event;

/** Makes events of a run's lines. A line that it does not understand becomes an event all the same. */
@FunctionalInterface
public interface EventReader {

    /** Never throws, whatever the line is. */
    List<Event> read(String line);
}
