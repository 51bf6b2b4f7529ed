package dev.heddle.engine.registry;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.heddle.env.Environment;
import dev.heddle.job.Job;
import dev.heddle.pool.Gate;
import dev.heddle.pool.PoolSettings;
import dev.heddle.waiting.NodeStatus.Hold;
import org.jspecify.annotations.Nullable;

/**
 * The job types that this node has handlers for, with their breakers and gates. Types may be added while the pool is
 * open.
 */
public final class HandlerRegistry {

    private final Map<String, Registration<?, ?>> types = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Map<String, TypeBreaker> breakers = new ConcurrentHashMap<>();
    private final Set<String> claimable = ConcurrentHashMap.newKeySet();
    private final Gates gates;
    private final PoolSettings settings;
    private final Environment env;
    private final Runnable onBreakerChange;

    /**
     * Creates a registry.
     *
     * @param onBreakerChange runs when a breaker opens or closes
     */
    public HandlerRegistry(Collection<Registration<?, ?>> registrations, PoolSettings settings, List<Gate> gates,
            Environment env, Runnable onBreakerChange) {
        this.gates = new Gates(gates);
        this.settings = settings;
        this.env = env;
        this.onBreakerChange = onBreakerChange;
        registrations.forEach(registration -> {
            addUnclaimed(registration);
            startClaiming(registration);
        });
    }

    /** Adds a type that this node can run, without claiming its jobs yet; returns false if the name is taken. */
    public boolean addUnclaimed(Registration<?, ?> registration) {
        String name = registration.type().name();
        if (types.putIfAbsent(name, registration) != null) {
            return false;
        }
        registration.type().breaker().or(() -> Optional.ofNullable(settings.breaker()))
                .ifPresent(policy -> breakers.put(name, new TypeBreaker(name, policy, env, onBreakerChange)));
        return true;
    }

    /** Claims jobs of a type that was added with {@link #addUnclaimed}. */
    public void startClaiming(Registration<?, ?> registration) {
        claimable.add(registration.type().name());
    }

    /** Returns all registrations, in the order in which they were added. */
    public List<Registration<?, ?>> all() {
        synchronized (types) {
            return List.copyOf(types.values());
        }
    }

    /** Returns the registration of a type, or null if this node has no handler for it. */
    public @Nullable Registration<?, ?> find(String type) {
        return types.get(type);
    }

    /** Returns the types whose jobs are claimed for a group's workers. */
    public Stream<Registration<?, ?>> in(String group) {
        return all().stream().filter(registration -> registration.group().equals(group))
                .filter(registration -> claimable.contains(registration.type().name()));
    }

    /** Returns the circuit breaker of a type; empty if it has none. */
    public Optional<TypeBreaker> breaker(String type) {
        return Optional.ofNullable(breakers.get(type));
    }

    /** Returns why no job of the type may start now; empty if its gates are open. */
    public Optional<Hold> hold(String type) {
        return gates.hold(type);
    }

    /** Returns the tags whose jobs of the type may not start now, with the reasons. */
    public Map<String, Hold> heldTags(String type) {
        return gates.heldTags(type);
    }

    /** Returns what {@link #hold} returned when it was last called, without calling a gate. */
    public Optional<Hold> lastHold(String type) {
        return gates.lastHold(type);
    }

    /** Returns what {@link #heldTags} returned when it was last called, without calling a gate. */
    public Map<String, Hold> lastHeldTags(String type) {
        return gates.lastHeldTags(type);
    }

    /** Tells the gates that a job is about to start; returns why it may not, empty if it may. */
    public Optional<String> checkStart(Job job) {
        gates.beforeStart(job.type());
        Set<String> tags = job.spec().tags();
        return hold(job.type()).or(() -> {
            Map<String, Hold> closed = tags.isEmpty() ? Map.of() : heldTags(job.type());
            return tags.stream().filter(closed::containsKey).findFirst().map(closed::get);
        }).map(Hold::reason);
    }

    /** Returns all circuit breakers. */
    public Collection<TypeBreaker> breakers() {
        return breakers.values();
    }

    /** Returns whether this node has no handler at all. */
    public boolean isEmpty() {
        return types.isEmpty();
    }

    /** Returns the names of all types, in the order in which they were added. */
    public Set<String> types() {
        synchronized (types) {
            return Collections.unmodifiableSet(new LinkedHashSet<>(types.keySet()));
        }
    }

    /** Returns the names of all types for a message. */
    public String names() {
        return types.isEmpty() ? "none" : String.join(", ", types());
    }
}
