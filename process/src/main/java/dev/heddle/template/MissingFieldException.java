package dev.heddle.template;

import java.util.Set;
import java.util.TreeSet;

/** A template has a field that the payload does not have. */
public final class MissingFieldException extends RuntimeException {

    private final String field;
    private final Set<String> known;

    MissingFieldException(String field, Set<String> known) {
        super("there is no field '" + field + "'");
        this.field = field;
        this.known = new TreeSet<>(known);
    }

    public String field() {
        return field;
    }

    /** What there is instead: "there are id, title". */
    public String known() {
        return known.isEmpty() ? "it has none" : "it has " + String.join(", ", known);
    }
}
