package dev.heddle.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.heddle.engine.execute.ThreadWorkforce;
import dev.heddle.engine.execute.WorkerGroup;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.session.SessionQueues;
import dev.heddle.engine.session.SessionSweeper;
import dev.heddle.engine.session.SessionTable;
import dev.heddle.engine.suspects.StartControl;
import dev.heddle.env.Environment;
import dev.heddle.pool.PoolSettings;
import dev.heddle.store.SessionStore;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;

/** The worker groups of a node and the sessions of their workers. Builds one group per configured name. */
final class WorkerGroups {

    private final NodeParts parts;
    private final Environment env;
    private final HandlerRegistry registry;
    private final List<WorkerGroup> groups;
    /** Null if no job type of this node has an affinity. */
    private final @Nullable SessionTable sessions;

    WorkerGroups(NodeParts parts, Environment env, HandlerRegistry registry, WorkerGroup.ClaimRunner handler,
            WorkerGroup.Listener listener, StartControl starts, Supplier<String> nodeId) {
        this.parts = parts;
        this.env = env;
        this.registry = registry;
        List<String> names = Stream
                .concat(Stream.of(PoolSettings.DEFAULT_GROUP), parts.settings().groupNames().stream()).toList();
        this.sessions = names.stream().anyMatch(this::hasSessions) ? sessionTable(nodeId) : null;
        this.groups = names.stream().map(name -> new WorkerGroup(settings(name), handler, listener, starts, env))
                .toList();
    }

    private boolean hasSessions(String group) {
        return registry.in(group).anyMatch(type -> type.type().affinity().isPresent());
    }

    private SessionTable sessionTable(Supplier<String> nodeId) {
        SessionStore store = parts.store().capability(SessionStore.class)
                .orElseThrow(() -> new IllegalArgumentException(parts.store().getClass().getSimpleName()
                        + " does not support sessions; job types with an affinity need a store that does"));
        return new SessionTable(store, registry, env, nodeId);
    }

    private WorkerGroup.Settings settings(String group) {
        SessionTable table = hasSessions(group) ? sessions : null;
        Workforce own = parts.workforces().get(group);
        if (own != null) {
            return new WorkerGroup.Settings(group, own, false, false, table);
        }
        PoolSettings settings = parts.settings();
        return new WorkerGroup.Settings(group, new ThreadWorkforce(group, env.clock()),
                settings.usesVirtualThreads(settings.workersOf(group)), table == null, table);
    }

    /**
     * Checks that the workers of an open group can run jobs of a type.
     *
     * @throws IllegalArgumentException if there is no such group, or if it keeps no sessions and the type needs them
     */
    void requireFit(Registration<?, ?> registration) {
        WorkerGroup group = get(registration.group());
        if (registration.type().affinity().isPresent() && group.sessions().isEmpty()) {
            throw new IllegalArgumentException("job type '" + registration.type().name()
                    + "' has an affinity, but group '" + group.name() + "' was opened without sessions;"
                    + " register the type before the pool opens");
        }
    }

    /** Starts the workers. */
    void open(String nodeId) {
        groups.forEach(group -> group.open(nodeId, parts.settings().workersOf(group.name())));
    }

    void close() {
        groups.forEach(WorkerGroup::close);
    }

    List<WorkerGroup> all() {
        return groups;
    }

    /**
     * Returns the group with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    WorkerGroup get(String name) {
        return groups.stream().filter(group -> group.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no worker group '" + name + "'; there are: "
                        + String.join(", ", groups.stream().map(WorkerGroup::name).toList())));
    }

    /** Releases the claimed jobs of a paused queue that no worker has started. */
    void releaseWaiting(String queue) {
        groups.forEach(group -> group.releaseWaiting(claim -> claim.job().queue().equals(queue),
                "queue " + queue + " is paused"));
    }

    int size() {
        return groups.stream().mapToInt(WorkerGroup::size).sum();
    }

    int active() {
        return groups.stream().mapToInt(WorkerGroup::active).sum();
    }

    /** Returns the service that ends idle sessions; empty if no job type has sessions. */
    Optional<SessionSweeper> sweeper() {
        return Optional.ofNullable(sessions).map(table -> new SessionSweeper(table, sessionQueues(), env));
    }

    private List<SessionQueues> sessionQueues() {
        return groups.stream().flatMap(group -> group.sessions().stream()).toList();
    }

    /** Looks up each session in the store again before its next use, because another node may have ended it. */
    void invalidateSessions() {
        if (sessions != null) {
            sessions.invalidate();
        }
    }

    /** Ends a session, here or on another node; returns whether there was one. */
    boolean dropSession(String session) {
        if (sessions == null) {
            return parts.store().capability(SessionStore.class)
                    .filter(store -> !store.release(new SessionStore.Release.OfSession(session)).isEmpty())
                    .isPresent();
        }
        List<Binding> bindings = sessions.drop(session);
        sessionQueues().forEach(queues -> queues.dropped(session, bindings));
        return !bindings.isEmpty();
    }
}
