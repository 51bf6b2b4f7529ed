package dev.heddle.control.model;

import java.util.List;

import dev.heddle.query.Field;

/**
 * A field of the query language.
 *
 * @param name its name in a query
 * @param kind what values it has
 * @param description what it is
 * @param indexed whether jobs are found by it without reading others
 * @param values the values that occur now, if they are few and known; empty otherwise
 */
public record QueryFieldView(String name, Field.Kind kind, String description, boolean indexed, List<String> values) {}
