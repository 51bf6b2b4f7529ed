package dev.heddle.sqlite;

import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The columns that hold JSON. */
final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final TypeReference<Set<String>> STRINGS = new TypeReference<>() {};

    private Json() {}

    static @Nullable String write(@Nullable Object value) {
        return value == null ? null : MAPPER.writeValueAsString(value);
    }

    static <T> @Nullable T read(@Nullable String json, Class<T> type) {
        return json == null ? null : MAPPER.readValue(json, type);
    }

    static @Nullable String tags(Set<String> tags) {
        return tags.isEmpty() ? null : MAPPER.writeValueAsString(new TreeSet<>(tags));
    }

    static Set<String> tags(@Nullable String json) {
        return json == null ? Set.of() : Set.copyOf(MAPPER.readValue(json, STRINGS));
    }
}
