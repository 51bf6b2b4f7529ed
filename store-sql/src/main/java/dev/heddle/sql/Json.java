package dev.heddle.sql;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.job.JsonErrors;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Converts values to and from columns that hold JSON. */
public final class Json {

    private static final Logger LOG = LoggerFactory.getLogger(Json.class);
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final TypeReference<Set<String>> SET = new TypeReference<>() {};
    private static final TypeReference<List<LimitKey>> LIMITS = new TypeReference<>() {};

    private static final int MOST_KNOWN = 1_000;

    /** A claim reads the limits of a job twice, and many jobs have the same. */
    private static final Map<String, List<LimitKey>> KNOWN_LIMITS = new ConcurrentHashMap<>();
    private static final TypeReference<Map<String, String>> MAP = new TypeReference<>() {};

    private Json() {}

    /** A JSON document as a parameter. PostgreSQL binds it differently from other text. */
    public record Text(String json) {}

    /** Returns the value as JSON; null if the value is null. */
    public static @Nullable Text text(@Nullable Object value) {
        return value == null ? null : new Text(MAPPER.writeValueAsString(value));
    }

    static <T> @Nullable T read(@Nullable String json, Class<T> type) {
        return json == null ? null : MAPPER.readValue(json, type);
    }

    /** Reads a value; returns another one if the JSON makes no sense, and logs that. */
    static <T> @Nullable T readOr(@Nullable String json, Class<T> type, @Nullable T otherwise) {
        try {
            return read(json, type);
        } catch (JacksonException e) {
            LOG.warn("Ignoring a damaged value in the database: {} (read as {}: {})",
                    Limits.quoted(String.valueOf(json)), type.getSimpleName(), JsonErrors.describe(e));
            return otherwise;
        }
    }

    /** Returns strings as a sorted JSON array; null if there are none. */
    static @Nullable Text ofSet(Set<String> strings) {
        return strings.isEmpty() ? null : text(new TreeSet<>(strings));
    }

    static Set<String> readSet(@Nullable String json) {
        return json == null ? Set.of() : Set.copyOf(MAPPER.readValue(json, SET));
    }

    /** Returns limits as a JSON array; null if there are none. */
    static @Nullable Text ofLimits(List<LimitKey> limits) {
        return limits.isEmpty() ? null : text(limits);
    }

    /** Reads limits; none if the JSON makes no sense, so that the job is not kept from running. */
    static List<LimitKey> readLimits(@Nullable String json) {
        if (json == null) {
            return List.of();
        }
        List<LimitKey> known = KNOWN_LIMITS.get(json);
        if (known != null) {
            return known;
        }
        try {
            List<LimitKey> limits = List.copyOf(MAPPER.readValue(json, LIMITS));
            if (KNOWN_LIMITS.size() >= MOST_KNOWN) {
                KNOWN_LIMITS.clear();
            }
            KNOWN_LIMITS.put(json, limits);
            return limits;
        } catch (JacksonException e) {
            LOG.warn("Ignoring damaged limits of a job in the database: {} ({})", Limits.quoted(json),
                    JsonErrors.describe(e));
            return List.of();
        }
    }

    /** Reads what a job is found by; nothing if the JSON makes no sense, so that the job is not kept from running. */
    static Map<String, String> readSearchable(@Nullable String json) {
        try {
            return readMap(json);
        } catch (JacksonException e) {
            LOG.warn("Ignoring damaged searchable values of a job in the database: {} ({})",
                    Limits.quoted(String.valueOf(json)), JsonErrors.describe(e));
            return Map.of();
        }
    }

    /** Returns strings by name as a sorted JSON object; null if there are none. */
    static @Nullable Text ofMap(Map<String, String> strings) {
        return strings.isEmpty() ? null : text(new TreeMap<>(strings));
    }

    static Map<String, String> readMap(@Nullable String json) {
        return json == null ? Map.of() : Map.copyOf(MAPPER.readValue(json, MAP));
    }
}
