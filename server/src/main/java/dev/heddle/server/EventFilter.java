package dev.heddle.server;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import dev.heddle.control.http.Parameter;
import dev.heddle.event.NodeEvent;
import org.jspecify.annotations.Nullable;

/**
 * Which events a reader wants: for each property that it names, those that have one of the values.
 *
 * @param wanted the wanted values by property; none is everything
 */
record EventFilter(Map<Property, List<String>> wanted) implements Predicate<NodeEvent> {

    static final EventFilter ALL = new EventFilter(Map.of());
    static final List<Parameter> PARAMETERS = List.of(
            parameter("kind", "Only events of these kinds, such as 'ended'."),
            parameter("type", "Only events of jobs of these types."),
            parameter("queue", "Only events of these queues and their jobs."),
            parameter("job", "Only events of jobs whose id starts with this."),
            parameter("node", "Only events of these nodes."),
            parameter("state", "Only ends of attempts that left the job in these states."));

    /** A property of an event that a reader can ask for. */
    enum Property {
        KIND, TYPE, QUEUE, JOB, NODE, STATE;

        @Nullable String of(NodeEvent event) {
            return switch (this) {
                case KIND -> event.kind();
                case TYPE -> event.type();
                case QUEUE -> event.queue();
                case JOB -> event.job();
                case NODE -> event.node();
                case STATE -> event.state() == null ? null : event.state().name();
            };
        }

        private boolean matches(String value, String wanted) {
            return this == JOB ? value.startsWith(wanted)
                    : this == STATE ? value.equalsIgnoreCase(wanted) : value.equals(wanted);
        }
    }

    private static Parameter parameter(String name, String description) {
        return new Parameter(name, "string", description, true);
    }

    @Override
    public boolean test(NodeEvent event) {
        return wanted.entrySet().stream().allMatch(entry -> {
            String value = entry.getKey().of(event);
            return value != null && entry.getValue().stream().anyMatch(some -> entry.getKey().matches(value, some));
        });
    }
}
