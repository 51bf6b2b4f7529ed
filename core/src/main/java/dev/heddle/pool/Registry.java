package dev.heddle.pool;

import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.heddle.job.BreakerPolicy;
import dev.heddle.job.Job;
import org.jspecify.annotations.Nullable;

/** The job types this node has handlers for, with their breakers and gates. Types may come while the pool is open. */
final class Registry {

    private final Map<String, Registration<?, ?>> types = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Map<String, Breaker> breakers = new ConcurrentHashMap<>();
    private final Set<String> claimable = ConcurrentHashMap.newKeySet();
    private final Gates gates;
    private final PoolSettings settings;
    private final InstantSource clock;
    private final Runnable onBreakerChange;

    Registry(Collection<Registration<?, ?>> registrations, PoolSettings settings, List<Gate> gates,
            InstantSource clock, Runnable onBreakerChange) {
        this.gates = new Gates(gates);
        this.settings = settings;
        this.clock = clock;
        this.onBreakerChange = onBreakerChange;
        registrations.forEach(this::add);
    }

    /** One type more, or, where there is one of that name, none. */
    void add(Registration<?, ?> registration) {
        introduce(registration);
        claimable.add(registration.type().name());
    }

    /** A type that this node can run, and does not ask for yet. */
    void introduce(Registration<?, ?> registration) {
        String name = registration.type().name();
        Optional<BreakerPolicy> policy = registration.type().breaker()
                .or(() -> Optional.ofNullable(settings.breaker()));
        policy.ifPresent(
                p -> breakers.computeIfAbsent(name, _ -> new Breaker(name, p, clock, onBreakerChange)));
        types.putIfAbsent(name, registration);
    }

    private List<Registration<?, ?>> all() {
        synchronized (types) {
            return List.copyOf(types.values());
        }
    }

    @Nullable
    Registration<?, ?> find(String type) {
        return types.get(type);
    }

    /** The types that run on a group's workers. */
    Stream<Registration<?, ?>> in(String group) {
        return all().stream().filter(registration -> registration.group().equals(group))
                .filter(registration -> claimable.contains(registration.type().name()));
    }

    Optional<Breaker> breaker(String type) {
        return Optional.ofNullable(breakers.get(type));
    }

    /** Why no job of the type may start now, for a reason that is none of its own. */
    Optional<String> closed(String type) {
        return gates.closed(type);
    }

    /** Tags whose jobs of the type may not start now, with the reason. */
    Map<String, String> closedTags(String type) {
        return gates.closedTags(type);
    }

    /** Why this job, which is about to, may not start now; empty where it may. */
    Optional<String> closed(Job job) {
        gates.aboutToStart(job.type());
        Set<String> tags = job.spec().tags();
        return closed(job.type()).or(() -> {
            Map<String, String> closed = tags.isEmpty() ? Map.of() : closedTags(job.type());
            return tags.stream().filter(closed::containsKey).findFirst().map(closed::get);
        });
    }

    /** What may not start now, with the reason. */
    Held held() {
        Map<String, String> types = new TreeMap<>();
        Map<String, Map<String, String>> tags = new TreeMap<>();
        for (String type : types()) {
            closed(type).ifPresentOrElse(reason -> types.put(type, reason), () -> {
                Map<String, String> closed = closedTags(type);
                if (!closed.isEmpty()) {
                    tags.put(type, closed);
                }
            });
        }
        return new Held(types, tags);
    }

    Collection<Breaker> breakers() {
        return breakers.values();
    }

    boolean isEmpty() {
        return types.isEmpty();
    }

    Set<String> types() {
        synchronized (types) {
            return Collections.unmodifiableSet(new LinkedHashSet<>(types.keySet()));
        }
    }

    String names() {
        return types.isEmpty() ? "none" : String.join(", ", types());
    }
}
