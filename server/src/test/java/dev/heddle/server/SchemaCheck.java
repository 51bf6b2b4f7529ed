package dev.heddle.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;

/**
 * Validates JSON against the part of JSON Schema that {@link OpenApi} uses. Fields that a schema does not name are
 * faults.
 */
record SchemaCheck(JsonNode document) {

    List<String> faults(JsonNode schema, JsonNode value) {
        List<String> faults = new ArrayList<>();
        check(schema, value, "$", faults);
        return faults;
    }

    private void check(JsonNode schema, JsonNode value, String at, List<String> faults) {
        if (schema.has("$ref")) {
            String name = schema.get("$ref").stringValue();
            check(document.at(name.substring(1)), value, at, faults);
            return;
        }
        String type = schema.path("type").stringValue("any");
        boolean fits = switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> true;
        };
        if (!fits) {
            faults.add(at + " is not of type " + type + ": " + value);
            return;
        }
        switch (type) {
            case "object" -> checkObject(schema, value, at, faults);
            case "array" -> value.forEach(item -> check(schema.get("items"), item, at + "[]", faults));
            case "string" -> checkText(schema, value.stringValue(), at, faults);
            default -> {
            }
        }
    }

    private void checkObject(JsonNode schema, JsonNode value, String at, List<String> faults) {
        schema.path("required").forEach(name -> {
            if (!value.has(name.stringValue())) {
                faults.add(at + "." + name.stringValue() + " is missing");
            }
        });
        value.properties().forEach(field -> {
            JsonNode known = schema.has("additionalProperties") ? schema.get("additionalProperties")
                    : schema.path("properties").get(field.getKey());
            if (known == null) {
                faults.add(at + "." + field.getKey() + " is not in the schema");
            } else {
                check(known, field.getValue(), at + "." + field.getKey(), faults);
            }
        });
    }

    private static void checkText(JsonNode schema, String text, String at, List<String> faults) {
        try {
            switch (schema.path("format").stringValue("")) {
                case "date-time" -> Instant.parse(text);
                case "duration" -> Duration.parse(text);
                default -> {
                }
            }
        } catch (RuntimeException e) {
            faults.add(at + ": " + e.getMessage());
        }
        boolean listed = !schema.has("enum");
        for (JsonNode word : schema.path("enum")) {
            listed |= word.stringValue().equals(text);
        }
        if (!listed) {
            faults.add(at + " is not one of the allowed values: " + text);
        }
    }
}
