package dev.heddle.server;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

import dev.heddle.control.ControlJson;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import tools.jackson.databind.JsonNode;

/** What the OpenAPI document says of an endpoint beside its types: a name, a description and an example. */
final class OpenApiOperations {

    private static final Pattern WORD_END = Pattern.compile("_([a-z])");

    private final IdentityHashMap<Endpoint<?>, String> names = new IdentityHashMap<>();
    /** By the name of the operation: {@code id}, {@code query} and {@code body} of a request. */
    private final JsonNode examples;

    OpenApiOperations() {
        for (Field field : Endpoints.class.getFields()) {
            try {
                if (field.get(null) instanceof Endpoint<?> endpoint) {
                    names.put(endpoint, WORD_END.matcher(field.getName().toLowerCase(Locale.ROOT))
                            .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT)));
                }
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        try (InputStream in = OpenApiOperations.class.getResourceAsStream("openapi-examples.json")) {
            examples = ControlJson.readTree(
                    Objects.requireNonNull(in, "openapi-examples.json is missing from the build").readAllBytes());
        } catch (IOException e) {
            throw new IllegalStateException("cannot read the examples", e);
        }
    }

    /** Returns the name of the operation: that of the constant, such as {@code cancelJob} for {@code CANCEL_JOB}. */
    String name(Endpoint<?> endpoint) {
        return Objects.requireNonNull(names.get(endpoint), () -> "no constant of Endpoints is " + endpoint);
    }

    /** Returns an example of a request; a node without fields if there is none. */
    JsonNode example(Endpoint<?> endpoint) {
        return examples.path(name(endpoint));
    }

    /** Returns the group of an operation: the first part of its path. */
    static String group(Endpoint<?> endpoint) {
        return endpoint.path().split("/", -1)[1];
    }

    static String description(Endpoint<?> endpoint) {
        StringBuilder text = new StringBuilder(endpoint.summary()).append('.');
        if (endpoint.parameters().contains(Endpoints.CURSOR)) {
            text.append(" Returns a page; pass its 'next' as 'cursor' for the page after it."
                    + " A page without 'next' is the last.");
        }
        if (endpoint.body() != null && !endpoint.body().required()) {
            text.append(" The body may be left out.");
        }
        if (endpoint.method() != Endpoint.Method.GET) {
            text.append(endpoint.isForJobs() ? "" : " If it fails, nothing has changed.");
        }
        return text.toString();
    }
}
