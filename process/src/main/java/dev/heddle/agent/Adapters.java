package dev.heddle.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** All available {@link Adapter}s, by name. */
public final class Adapters {

    private static final List<Adapter> BUILT_IN = List.of(new ClaudeAdapter(), new CodexAdapter(), new GeminiAdapter(),
            new PlainTextAdapter());

    private final Map<String, Adapter> byName = new LinkedHashMap<>();

    private Adapters(Iterable<Adapter> discovered) {
        BUILT_IN.forEach(adapter -> byName.put(adapter.name(), adapter));
        discovered.forEach(adapter -> byName.put(adapter.name(), adapter));
    }

    /**
     * Loads the built-in adapters and those on the class path. One on the class path replaces a built-in one of its
     * name.
     */
    public static Adapters load() {
        return new Adapters(ServiceLoader.load(Adapter.class));
    }

    /** Returns the adapter with this name, or empty if no adapter has it. */
    public Optional<Adapter> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Returns the names of all adapters, the built-in ones first. */
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }
}
