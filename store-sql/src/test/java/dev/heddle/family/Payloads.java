package dev.heddle.family;

import tools.jackson.databind.json.JsonMapper;

/** Reads payloads and results of jobs. */
final class Payloads {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Payloads() {}

    static <T> T read(String json, Class<T> type) {
        return MAPPER.readValue(json, type);
    }
}
