package dev.heddle.control.http;

/**
 * A query parameter of an {@link Endpoint}.
 *
 * @param name the name in the query string
 * @param type the JSON Schema type of its value
 * @param description what it means and its default, for the API documentation
 * @param repeatable whether a request may contain it more than once
 */
public record Parameter(String name, String type, String description, boolean repeatable) {

    static Parameter text(String name, String description) {
        return new Parameter(name, "string", description, false);
    }

    static Parameter number(String name, String description) {
        return new Parameter(name, "integer", description, false);
    }
}
