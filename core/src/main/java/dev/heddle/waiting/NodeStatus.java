package dev.heddle.waiting;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.heddle.job.JsonMappers;
import dev.heddle.store.NodeRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a node would start, what it holds back, and what it is. A node publishes this with each renewal of its lease, so
 * that other nodes can say why a job waits, and where nodes differ.
 *
 * @param closing whether the node is closing and claims nothing any more
 * @param held why nothing may start on the node now; null if something may
 * @param types the types that the node has handlers for
 * @param about its version and its configuration; null if the node is of an older version
 * @param load what its process uses; null if that is not known yet
 */
public record NodeStatus(boolean closing, @Nullable String held, List<TypeStatus> types, @Nullable About about,
        @Nullable Load load) {

    private static final JsonMapper JSON = JsonMappers.standard().rebuild()
            .changeDefaultPropertyInclusion(incl -> incl.withValueInclusion(JsonInclude.Include.NON_EMPTY)).build();

    /** Copies the list. A part that is missing in JSON counts as empty. */
    public NodeStatus {
        types = types == null ? List.of() : List.copyOf(types);
    }

    /** Creates the status of a node that says nothing of itself. */
    public NodeStatus(boolean closing, @Nullable String held, List<TypeStatus> types) {
        this(closing, held, types, null, null);
    }

    /**
     * What a node is.
     *
     * @param version the version of Heddle
     * @param java the version of Java
     * @param startedAt when it started
     * @param settings how it is configured, without secrets, by the name of the setting
     */
    public record About(String version, String java, Instant startedAt, SortedMap<String, String> settings) {

        /** Copies the map. A part that is missing in JSON counts as empty. */
        public About {
            settings = settings == null ? Collections.emptySortedMap()
                    : Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        }
    }

    /**
     * What the process of a node uses.
     *
     * @param at when it was measured
     * @param cpu the share of one processor in percent, since the measurement before; over 100 for several
     * @param memory the resident memory in bytes
     */
    public record Load(Instant at, int cpu, long memory) {}

    /**
     * A type that a node has a handler for.
     *
     * @param name the name of the type
     * @param group the worker group that runs it
     * @param most how many of its jobs may run at once on the node; null for any number
     * @param claimed how many of its jobs the node has claimed, if {@code most} is set
     * @param breaker its circuit breaker; null if that is closed
     * @param hold why none of its jobs may start; null if some may
     * @param tags the tags whose jobs may not start, with the reasons
     */
    public record TypeStatus(String name, String group, @Nullable Integer most, int claimed,
            @Nullable BreakerStatus breaker, @Nullable Hold hold, Map<String, Hold> tags) {

        /** Copies the map. A part that is missing in JSON counts as empty. */
        public TypeStatus {
            tags = tags == null ? Map.of() : Map.copyOf(tags);
        }

        /** Returns why a job of the type with these tags may not start; empty if it may. */
        Optional<Hold> hold(Set<String> jobTags) {
            return Optional.ofNullable(hold).or(() -> jobTags.stream().sorted().filter(tags::containsKey).findFirst()
                    .map(tags::get));
        }
    }

    /**
     * A circuit breaker that is not closed.
     *
     * @param until when it admits the next job as a trial; null if one is on trial now
     */
    public record BreakerStatus(@Nullable Instant until) {}

    /**
     * Jobs that a gate holds back.
     *
     * @param gate the {@linkplain dev.heddle.pool.Gate#name name} of the gate
     * @param reason why they may not start
     */
    public record Hold(String gate, String reason) {}

    /** Returns the status of a type; empty if the node has no handler for it. */
    public Optional<TypeStatus> type(String name) {
        return types.stream().filter(type -> type.name.equals(name)).findFirst();
    }

    /** Returns this as JSON. */
    public String toJson() {
        return JSON.writeValueAsString(this);
    }

    /** Reads JSON; empty if it says nothing, as that of an older node. */
    public static Optional<NodeStatus> read(@Nullable String json) {
        if (json == null || json.equals(NodeRecord.UNKNOWN)) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(JSON.readValue(json, NodeStatus.class));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }
}
