package dev.heddle.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The scripts that bring a store to the schema of this version. Each store has its own script for every step, a
 * resource beside its classes.
 */
public final class MigrationScripts {

    /** In order. A published script never changes the schema that it creates. */
    private static final List<String> STEPS = List.of("001_initial.sql", "002_headers.sql", "003_dropped_sessions.sql",
            "004_quick_lists.sql");

    private MigrationScripts() {}

    /** Returns the number of steps, which is the version of a complete schema. */
    public static int latest() {
        return STEPS.size();
    }

    /**
     * Returns the SQL of a step.
     *
     * @param store a class of the store
     * @param step the number of the step, from 1
     */
    public static String read(Class<?> store, int step) {
        String name = STEPS.get(step - 1);
        try (InputStream in = Objects.requireNonNull(store.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + name, e);
        }
    }
}
