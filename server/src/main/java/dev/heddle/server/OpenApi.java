package dev.heddle.server;

import dev.heddle.job.JobId;
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

import dev.heddle.access.Role;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.http.Parameter;
import dev.heddle.control.http.Problem;
import dev.heddle.event.NodeEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Derives the OpenAPI document from {@link Endpoints} and from the records that requests and responses consist of. */
final class OpenApi {

    private final Map<String, Object> schemas = new TreeMap<>();
    private final OpenApiOperations operations = new OpenApiOperations();

    private OpenApi() {}

    /** Returns the document as JSON values. */
    static Map<String, Object> document() {
        OpenApi api = new OpenApi();
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        for (Endpoint<?> endpoint : Endpoints.all()) {
            paths.computeIfAbsent(Endpoints.BASE + endpoint.template(), _ -> new LinkedHashMap<>())
                    .put(endpoint.method().name().toLowerCase(Locale.ROOT), api.operation(endpoint));
        }
        paths.put(Endpoints.BASE + Endpoints.ARTIFACT.replace('<', '{').replace('>', '}'),
                Map.of("get", api.artifact()));
        paths.put(Endpoints.BASE + "/events", Map.of("get", api.events()));
        paths.put(Endpoints.BASE + "/openapi.json",
                Map.of("get", plain("openApi", "Get this document", "application/json")));
        paths.put("/metrics",
                Map.of("get", plain("metrics", "Get metrics in the Prometheus text format", "text/plain")));
        paths.put("/healthz", Map.of("get", open("health", "Check that the process answers", "healthy")));
        paths.put("/readyz", Map.of("get", open("readiness", "Check that the node can take jobs", "ready")));
        paths.put("/login", Map.of("get", api.login()));
        paths.put("/logout", Map.of("post", api.logout()));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", ordered("title", "Heddle", "version", "v1", "description",
                "A durable job queue and worker pool. Times and durations are ISO-8601; errors are problem details (RFC 9457)."));
        document.put("paths", paths);
        document.put("components",
                ordered("schemas", api.schemas, "responses", ordered("Problem", api.problemResponse()),
                        "securitySchemes",
                        ordered("token", ordered("type", "http", "scheme", "bearer"))));
        document.put("security", List.of(Map.of("token", List.of())));
        return document;
    }

    private Map<String, Object> operation(Endpoint<?> endpoint) {
        Map<String, Object> operation = new LinkedHashMap<>();
        JsonNode example = operations.example(endpoint);
        operation.put("operationId", operations.name(endpoint));
        operation.put("tags", List.of(OpenApiOperations.group(endpoint)));
        operation.put("summary", endpoint.summary());
        Role role = endpoint.role();
        operation.put("description", OpenApiOperations.description(endpoint) + (role == null
                ? " Needs the token of a job."
                : " Needs the role " + role.text() + (role == Role.ADMIN ? "." : " or higher.")));
        List<Object> parameters = new ArrayList<>();
        if (endpoint.hasId()) {
            parameters.add(withExample(path("id", endpoint.idDescription()), example.path("id")));
        }
        endpoint.parameters().forEach(parameter -> parameters
                .add(withExample(query(parameter), example.path("query").path(parameter.name()))));
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        if (endpoint.body() != null) {
            operation.put("requestBody",
                    ordered("required", endpoint.body().required(), "content", ordered("application/json",
                            withExample(ordered("schema", schema(endpoint.body().type())), example.path("body")))));
        }
        Map<String, Object> responses = ordered(Integer.toString(endpoint.status()),
                ordered("description", "Success", "content", json(schema(endpoint.responseType()))));
        errors(endpoint).forEach((status, meaning) -> responses.put(status, problem(meaning)));
        responses.put("default", problem());
        operation.put("responses", responses);
        return operation;
    }

    /** Returns the statuses that a client of this endpoint should expect, and what each means. */
    private static Map<String, String> errors(Endpoint<?> endpoint) {
        Map<String, String> errors = new LinkedHashMap<>();
        errors.put("400", "The request is invalid");
        errors.put("401", "The token is missing or wrong");
        errors.put("403", "The request is not allowed");
        if (endpoint.hasId()) {
            errors.put("404", "There is nothing with this id");
            errors.put("409", "The id is ambiguous, or the state does not allow the operation");
        } else if (endpoint.method() != Endpoint.Method.GET) {
            errors.put("409", "The state does not allow the operation");
        }
        if (endpoint.body() != null) {
            errors.put("413", "The body is too large");
            errors.put("415", "The body is not JSON");
        }
        errors.put("503", "The node is not available, or cannot reach its store");
        return errors;
    }

    private static Map<String, Object> withExample(Map<String, Object> described, JsonNode example) {
        if (!example.isMissingNode()) {
            described.put("example", example);
        }
        return described;
    }

    private static Map<String, Object> query(Parameter parameter) {
        Map<String, Object> value = ordered("type", parameter.type());
        return ordered("name", parameter.name(), "in", "query", "description", parameter.description(), "schema",
                parameter.repeatable() ? ordered("type", "array", "items", value) : value);
    }

    private static Map<String, Object> json(Object schema) {
        return ordered("application/json", ordered("schema", schema));
    }

    private static Map<String, Object> problem() {
        return problem("The request failed");
    }

    private static Map<String, Object> problem(String meaning) {
        return ordered("$ref", "#/components/responses/Problem", "description", meaning);
    }

    private Map<String, Object> problemResponse() {
        Problem example = Problem.of(Kind.NOT_FOUND,
                "no job has the id 01a1f653-7b47; it was never submitted here, or it has been deleted");
        return ordered("description", "Problem details (RFC 9457)", "content", ordered(Problem.MEDIA_TYPE,
                ordered("schema", schema(Problem.class), "example", ControlJson.tree(ControlJson.write(example)))));
    }

    private Map<String, Object> events() {
        List<Object> parameters = new ArrayList<>();
        EventFilter.PARAMETERS.forEach(parameter -> parameters.add(query(parameter)));
        parameters.add(ordered("name", "Last-Event-ID", "in", "header", "description",
                "The id of the last event received, to resume after it.", "schema", ordered("type", "string")));
        return ordered("operationId", "events", "summary", "Stream the events of all nodes as server-sent events",
                "parameters", parameters,
                "responses",
                ordered("200",
                        ordered("description", "A stream that does not end", "content",
                                ordered("text/event-stream", ordered("schema", schema(NodeEvent.class)))),
                        "default", problem()));
    }

    private Map<String, Object> artifact() {
        return ordered("operationId", "artifact", "summary", "Download a file that a job has left", "description",
                "The name is that of the list of artifacts; it may contain slashes.", "parameters",
                List.of(path("id", Endpoint.ID_DESCRIPTION), path("name", "The name of the artifact."),
                        query(Endpoints.ATTEMPT)),
                "responses",
                ordered("200",
                        ordered("description", "The file", "content", ordered("application/octet-stream",
                                ordered("schema", ordered("type", "string", "format", "binary")))),
                        "default", problem()));
    }

    private static Map<String, Object> path(String name, String description) {
        return ordered("name", name, "in", "path", "required", true, "description", description, "schema",
                ordered("type", "string"));
    }

    private Map<String, Object> login() {
        return ordered("operationId", "login", "summary", "Exchange a one-time code for a session cookie", "security",
                List.of(), "parameters",
                List.of(ordered("name", "code", "in", "query", "required", true, "schema", ordered("type", "string"))),
                "responses", ordered("303", ordered("description", "Logged in"), "default", problem()));
    }

    private Map<String, Object> logout() {
        return ordered("operationId", "logout", "summary", "End the session of a browser", "responses",
                ordered("204", ordered("description", "Logged out"), "default", problem()));
    }

    private static Map<String, Object> plain(String name, String summary, String type) {
        return ordered("operationId", name, "summary", summary, "responses",
                ordered("200", ordered("description", "Success", "content", ordered(type, Map.of()))));
    }

    private static Map<String, Object> open(String name, String summary, String state) {
        return ordered("operationId", name, "summary", summary, "security", List.of(), "responses",
                ordered("200", ordered("description", "The node is " + state), "503",
                        ordered("description", "The node is not " + state)));
    }

    private Object schema(Type type) {
        if (type instanceof ParameterizedType generic) {
            boolean map = generic.getRawType() instanceof Class<?> raw && Map.class.isAssignableFrom(raw);
            Object of = schema(generic.getActualTypeArguments()[map ? 1 : 0]);
            return map ? ordered("type", "object", "additionalProperties", of) : ordered("type", "array", "items", of);
        }
        if (!(type instanceof Class<?> raw) || raw == JsonNode.class || Collection.class.isAssignableFrom(raw)) {
            return Map.of();
        }
        if (raw == JobId.class) {
            return ordered("type", "string", "format", "uuid");
        }
        if (raw.isRecord()) {
            return named(raw);
        }
        if (raw.isEnum()) {
            return ordered("type", "string", "enum",
                    Arrays.stream(raw.getEnumConstants()).map(Object::toString).toList());
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
