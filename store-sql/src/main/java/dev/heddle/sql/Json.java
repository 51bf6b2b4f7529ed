package dev.heddle.sql;

import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The columns that hold JSON. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final TypeReference<Set<String>> STRINGS = new TypeReference<>() {};

    private Json() {}

    /** JSON as a parameter, for columns that may have a type of their own for it. */
    public record Text(String json) {
        public static @Nullable Text of(@Nullable String json) {
            return json == null ? null : new Text(json);
        }
    }

    public static @Nullable Text text(@Nullable Object value) {
        return value == null ? null : new Text(MAPPER.writeValueAsString(value));
    }

    static <T> @Nullable T read(@Nullable String json, Class<T> type) {
        return json == null ? null : MAPPER.readValue(json, type);
    }

    public static @Nullable Text tags(Set<String> tags) {
        return tags.isEmpty() ? null : text(new TreeSet<>(tags));
    }

    static Set<String> tags(@Nullable String json) {
        return json == null ? Set.of() : Set.copyOf(MAPPER.readValue(json, STRINGS));
    }
}
