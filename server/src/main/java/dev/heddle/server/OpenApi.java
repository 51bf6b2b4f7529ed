package dev.heddle.server;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.control.EventView;
import dev.heddle.control.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document, made of the routes and of the records that they read and answer with. */
final class OpenApi {

    private final Map<String, Object> schemas = new TreeMap<>();

    private OpenApi() {}

    static Map<String, Object> document(List<Route> routes) {
        OpenApi api = new OpenApi();
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        for (Route route : routes) {
            paths.computeIfAbsent(Routes.BASE + route.template(), _ -> new LinkedHashMap<>())
                    .put(route.method().toLowerCase(Locale.ROOT), api.operation(route));
        }
        paths.put(Routes.BASE + "/events", Map.of("get", api.events()));
        paths.put(Routes.BASE + "/openapi.json", Map.of("get", plain("This document", "application/json")));
        paths.put("/metrics", Map.of("get", plain("Metrics for Prometheus", "text/plain")));
        paths.put("/healthz", Map.of("get", open("Whether the process answers")));
        paths.put("/readyz", Map.of("get", open("Whether the node can take jobs")));
        paths.put("/login", Map.of("get", api.login()));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", ordered("title", "Heddle", "version", "v1", "description",
                "A durable worker pool. Times and durations are ISO-8601; errors are problem details (RFC 9457)."));
        document.put("paths", paths);
        document.put("components", ordered("schemas", api.schemas, "securitySchemes",
                ordered("token", ordered("type", "http", "scheme", "bearer"))));
        document.put("security", List.of(Map.of("token", List.of())));
        return document;
    }

    private Map<String, Object> operation(Route route) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("summary", route.summary());
        List<Object> parameters = new ArrayList<>();
        if (route.template().contains("{id}")) {
            parameters.add(ordered("name", "id", "in", "path", "required", true, "description",
                    route.template().startsWith("/batches/")
                            ? "the name of the batch, which means the newest that is called so, or the id of its job"
                            : "the id, or as much of its beginning as no other shares",
                    "schema", ordered("type", "string")));
        }
        for (Route.Param param : route.query()) {
            parameters.add(
                    ordered("name", param.name(), "in", "query", "description", param.meaning(), "schema",
                            param.many() ? ordered("type", "array", "items", ordered("type", param.schema()))
                                    : ordered("type", param.schema())));
        }
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        if (route.body() != null) {
            operation.put("requestBody", ordered("required", route.body().required(), "content",
                    json(schema(route.body().type()))));
        }
        operation.put("responses", ordered(Integer.toString(route.status()),
                ordered("description", "done", "content", json(schema(route.answer()))), "default",
                problem()));
        return operation;
    }

    private static Map<String, Object> json(Object schema) {
        return ordered("application/json", ordered("schema", schema));
    }

    private Map<String, Object> problem() {
        return ordered("description", "a problem", "content",
                ordered(Problem.MEDIA_TYPE, ordered("schema", schema(Problem.class))));
    }

    private Map<String, Object> events() {
        return ordered("summary", "What happens on this node, as server-sent events", "parameters",
                List.of(ordered("name", "Last-Event-ID", "in", "header", "description",
                        "the last id that was seen, to go on from there", "schema",
                        ordered("type", "string"))),
                "responses", ordered("200", ordered("description", "a stream without end", "content",
                        ordered("text/event-stream", ordered("schema", schema(EventView.class)))), "default",
                        problem()));
    }

    private Map<String, Object> login() {
        return ordered("summary", "Exchange a one-time code for a session cookie", "security", List.of(),
                "parameters",
                List.of(ordered("name", "code", "in", "query", "required", true, "schema",
                        ordered("type", "string"))),
                "responses", ordered("303", ordered("description", "logged in"), "default", problem()));
    }

    private static Map<String, Object> plain(String summary, String type) {
        return ordered("summary", summary, "responses",
                ordered("200", ordered("description", "done", "content",
                        ordered(type, Map.of()))));
    }

    private static Map<String, Object> open(String summary) {
        return ordered("summary", summary, "security", List.of(), "responses", ordered("200",
                ordered("description", "yes"), "503", ordered("description", "no")));
    }

    private Object schema(Type type) {
        if (type instanceof ParameterizedType generic) {
            boolean map = generic.getRawType() == Map.class;
            Object of = schema(generic.getActualTypeArguments()[map ? 1 : 0]);
            return map ? ordered("type", "object", "additionalProperties", of)
                    : ordered("type", "array", "items", of);
        }
        if (!(type instanceof Class<?> raw) || raw == JsonNode.class
                || Collection.class.isAssignableFrom(raw)) {
            return Map.of();
        }
        if (raw.isRecord()) {
            return named(raw);
        }
        if (raw.isEnum()) {
            return ordered("type", "string", "enum",
                    Arrays.stream(raw.getEnumConstants()).map(Object::toString)
                            .toList());
        }
        return simple(raw);
    }

    private static Map<String, Object> simple(Class<?> raw) {
        if (raw == Instant.class) {
            return ordered("type", "string", "format", "date-time");
        }
        if (raw == Duration.class) {
            return ordered("type", "string", "format", "duration");
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return ordered("type", "boolean");
        }
        if (raw == double.class || raw == Double.class || raw == BigDecimal.class) {
            return ordered("type", "number");
        }
        return ordered("type", raw == String.class ? "string" : "integer");
    }

    private Map<String, Object> named(Class<?> raw) {
        String name = raw.getSimpleName();
        if (!schemas.containsKey(name)) {
            schemas.put(name, Map.of());
            Map<String, Object> properties = new LinkedHashMap<>();
            List<String> required = new ArrayList<>();
            for (RecordComponent component : raw.getRecordComponents()) {
                properties.put(component.getName(), schema(component.getGenericType()));
                if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    required.add(component.getName());
                }
            }
            Map<String, Object> schema = ordered("type", "object", "properties", properties);
            if (!required.isEmpty()) {
                schema.put("required", required);
            }
            schemas.put(name, schema);
        }
        return ordered("$ref", "#/components/schemas/" + name);
    }

    private static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i].toString(), pairs[i + 1]);
        }
        return map;
    }
}
