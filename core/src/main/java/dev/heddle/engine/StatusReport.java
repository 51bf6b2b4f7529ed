package dev.heddle.engine;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.env.Environment;
import dev.heddle.pool.PoolSettings;
import dev.heddle.waiting.NodeStatus;
import dev.heddle.waiting.NodeStatus.About;
import dev.heddle.waiting.NodeStatus.Hold;
import dev.heddle.waiting.NodeStatus.Load;
import dev.heddle.waiting.NodeStatus.TypeStatus;
import org.jspecify.annotations.Nullable;

/** Says what this node would start, and what it holds back. */
final class StatusReport {

    private final HandlerRegistry registry;
    private final ClaimsInFlight inFlight;
    private final Environment env;
    private final PoolSettings settings;
    private final Map<String, String> description;
    private final Instant startedAt;
    private final LoadMeter load;
    private volatile @Nullable Described described;
    private volatile boolean closing;

    /** What was last said about the node, and how many types it had a handler for. */
    private record Described(int types, About about) {}

    StatusReport(HandlerRegistry registry, ClaimsInFlight inFlight, NodeParts parts, Environment env) {
        this.registry = registry;
        this.inFlight = inFlight;
        this.env = env;
        this.settings = parts.settings();
        this.description = parts.description();
        this.startedAt = env.clock().instant();
        this.load = new LoadMeter(env.clock(), env::elapsed, env::processUse);
    }

    /** Returns what the process has used in the last minutes, oldest first. */
    List<Load> loads() {
        return load.all();
    }

    /** Types are added while the node runs, and never removed. */
    private About about(Collection<Registration<?, ?>> types) {
        Described last = described;
        if (last == null || last.types != types.size()) {
            last = new Described(types.size(), new About(NodeSettings.version(), Runtime.version().toString(),
                    startedAt, NodeSettings.of(settings, types, description)));
            described = last;
        }
        return last.about;
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
        Collection<Registration<?, ?>> types = registry.all();
        return new NodeStatus(closing, inFlight.starts().holdReason().orElse(null),
                types.stream().map(type -> type(type, hold, tags, now)).toList(), about(types), load.now());
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
