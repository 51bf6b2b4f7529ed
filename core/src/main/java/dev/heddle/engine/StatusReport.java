package dev.heddle.engine;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.env.Environment;
import dev.heddle.waiting.NodeStatus;
import dev.heddle.waiting.NodeStatus.Hold;
import dev.heddle.waiting.NodeStatus.TypeStatus;

/** Says what this node would start, and what it holds back. */
final class StatusReport {

    private final HandlerRegistry registry;
    private final ClaimsInFlight inFlight;
    private final Environment env;
    private volatile boolean closing;

    StatusReport(HandlerRegistry registry, ClaimsInFlight inFlight, Environment env) {
        this.registry = registry;
        this.inFlight = inFlight;
        this.env = env;
    }

    /** Notes that the node claims nothing any more. */
    void closing() {
        closing = true;
    }

    /** Returns the status, for which the gates are asked. */
    NodeStatus now() {
        return status(registry::hold, registry::heldTags);
    }

    /**
     * Returns the status with the last answers of the gates. They are code of the application and may take long, so
     * nothing that is due by a deadline calls them.
     */
    NodeStatus last() {
        return status(registry::lastHold, registry::lastHeldTags);
    }

    private NodeStatus status(Function<String, Optional<Hold>> hold, Function<String, Map<String, Hold>> tags) {
        Instant now = env.clock().instant();
        return new NodeStatus(closing, inFlight.starts().holdReason().orElse(null),
                registry.all().stream().map(type -> type(type, hold, tags, now)).toList());
    }

    private TypeStatus type(Registration<?, ?> registration, Function<String, Optional<Hold>> hold,
            Function<String, Map<String, Hold>> tags, Instant now) {
        String name = registration.type().name();
        Optional<Hold> held = hold.apply(name);
        return new TypeStatus(name, registration.group(), registration.type().maxConcurrentPerNode().orElse(null),
                inFlight.claimed(name), registry.breaker(name).flatMap(breaker -> breaker.blocked(now)).orElse(null),
                held.orElse(null), held.isPresent() ? Map.of() : tags.apply(name));
    }
}
