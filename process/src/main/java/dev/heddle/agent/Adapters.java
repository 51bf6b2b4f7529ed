package dev.heddle.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/** All adapters there are, by name. */
public final class Adapters {

    private static final List<Adapter> STANDARD = List.of(new Claude(), new Codex(), new Gemini(),
            new PlainText());

    private final Map<String, Adapter> byName = new LinkedHashMap<>();

    private Adapters(Iterable<Adapter> further) {
        STANDARD.forEach(adapter -> byName.put(adapter.name(), adapter));
        further.forEach(adapter -> byName.put(adapter.name(), adapter));
    }

    /** Those of Heddle, and those on the class path; one of the latter may take the place of one of the former. */
    public static Adapters here() {
        return new Adapters(ServiceLoader.load(Adapter.class));
    }

    public Optional<Adapter> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    public List<String> names() {
        return List.copyOf(byName.keySet());
    }
}
