package dev.heddle.pool;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All gates of a pool: a type may start where none is closed for it. What changes is said once. */
final class Gates {

    private static final Logger LOG = LoggerFactory.getLogger(Gates.class);

    private final List<Gate> gates;
    private final Map<String, String> held = new ConcurrentHashMap<>();

    Gates(List<Gate> gates) {
        this.gates = List.copyOf(gates);
    }

    Optional<String> closed(String type) {
        if (gates.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> reason = gates.stream().flatMap(gate -> ask(gate, type).stream()).findFirst();
        if (reason.isEmpty()) {
            if (held.remove(type) != null) {
                LOG.atInfo().addKeyValue("type", type).log("Jobs of type {} may start again", type);
            }
        } else if (held.put(type, reason.get()) == null) {
            LOG.atWarn().addKeyValue("type", type).log("Jobs of type {} are held back: {}", type,
                    reason.get());
        }
        return reason;
    }

    /** A gate that fails must not stop the pool, and is open. */
    private static Optional<String> ask(Gate gate, String type) {
        try {
            return gate.closed(type);
        } catch (RuntimeException e) {
            LOG.error("A gate failed, and counts as open for {}", type, e);
            return Optional.empty();
        }
    }
}
