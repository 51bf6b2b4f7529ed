package dev.heddle.template;

import java.util.Set;
import java.util.TreeSet;

/** Thrown if a template contains a field that the payload does not have. */
public final class MissingFieldException extends RuntimeException {

    private final String field;
    private final Set<String> available;

    MissingFieldException(String field, Set<String> available) {
        super("the payload has no field '" + field + "'");
        this.field = field;
        this.available = new TreeSet<>(available);
    }

    /** Returns the name of the missing field. */
    public String field() {
        return field;
    }

    /** Returns the fields that the payload does have, as the end of a message: "it has id, title". */
    public String available() {
        return available.isEmpty() ? "it has no fields" : "it has " + String.join(", ", available);
    }
}
