package dev.heddle.control.local;

import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.NodeDetail;
import dev.heddle.control.model.NodeDifference;
import dev.heddle.control.model.NodeView;
import dev.heddle.control.model.WorkerDetail;
import dev.heddle.control.model.WorkerView;
import dev.heddle.job.Limits;
import dev.heddle.pool.Pool;
import dev.heddle.store.NodeRecord;
import dev.heddle.waiting.NodeStatus;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/**
 * Lists the nodes on a store and their workers, and adds and removes workers of this node. The workers of other nodes
 * are those of their last renewal.
 */
record WorkerDirectory(Backend backend) {

    private static final TypeReference<List<WorkerSnapshot>> SNAPSHOTS = new TypeReference<>() {};

    List<NodeView> nodes() {
        Instant now = backend.now();
        return backend.jobs().nodes().stream().map(node -> view(node, now)).toList();
    }

    private NodeView view(NodeRecord node, Instant now) {
        List<WorkerSnapshot> workers = snapshots(node);
        boolean self = isSelf(node);
        Optional<NodeStatus.About> about = about(node);
        Optional<NodeStatus.Load> load = NodeStatus.read(node.status()).map(NodeStatus::load);
        return new NodeView(node.id(), node.joinedAt(), node.renewedAt(), node.lease(), isAlive(node, now), self,
                (int) workers.stream().filter(worker -> worker.state().isLive()).count(),
                (int) workers.stream().filter(worker -> worker.state() == WorkerState.BUSY).count(),
                about.map(NodeStatus.About::version).orElse(null), about.map(NodeStatus.About::java).orElse(null),
                about.map(NodeStatus.About::startedAt).orElse(null),
                about.map(known -> fingerprint(known.settings())).orElse(null),
                load.map(NodeStatus.Load::cpu).orElse(null), load.map(NodeStatus.Load::memory).orElse(null));
    }

    private boolean isAlive(NodeRecord node, Instant now) {
        return isSelf(node) || now.isBefore(node.renewedAt().plus(node.lease()));
    }

    private static Optional<NodeStatus.About> about(NodeRecord node) {
        return NodeStatus.read(node.status()).map(NodeStatus::about);
    }

    /** Tells settings apart for people; nothing depends on it. */
    private static String fingerprint(SortedMap<String, String> settings) {
        return HexFormat.of().toHexDigits(settings.toString().hashCode());
    }

    /** Returns a node by its id or a prefix of it. */
    NodeDetail node(String id) {
        List<NodeRecord> nodes = backend.jobs().nodes();
        List<NodeRecord> found = nodes.stream().filter(node -> node.id().equals(id)).toList();
        found = found.isEmpty() ? nodes.stream().filter(node -> node.id().startsWith(id)).toList() : found;
        if (found.size() > 1) {
            throw new ControlException(Kind.AMBIGUOUS, "several nodes match '" + Limits.quoted(id) + "', such as "
                    + found.get(0).id() + " and " + found.get(1).id() + "; give more of the id");
        }
        NodeRecord node = found.stream().findFirst().orElseThrow(() -> ControlException
                .notFound("no node has the id '" + Limits.quoted(id) + "'; 'heddle node list' shows all"));
        return new NodeDetail(view(node, backend.now()),
                about(node).map(NodeStatus.About::settings).orElse(Collections.emptySortedMap()),
                isSelf(node) ? backend.pool().orElseThrow().admin().loads() : List.of());
    }

    /** Returns where the nodes that are alive differ. */
    List<NodeDifference> differences() {
        Instant now = backend.now();
        SortedMap<String, SortedMap<String, String>> settings = new TreeMap<>();
        backend.jobs().nodes().stream().filter(node -> isAlive(node, now))
                .forEach(node -> about(node).ifPresent(about -> {
                    SortedMap<String, String> all = new TreeMap<>(about.settings());
                    all.put("heddle", about.version());
                    all.put("java", about.java());
                    settings.put(node.id(), all);
                }));
        return NodeDifferences.of(settings);
    }

    List<WorkerView> workers() {
        Instant now = backend.now();
        return backend.jobs().nodes().stream()
                .flatMap(node -> snapshots(node).stream()
                        .map(worker -> Views.worker(worker, node.id(), isSelf(node) ? now : node.renewedAt())))
                .toList();
    }

    private boolean isSelf(NodeRecord node) {
        return backend.pool().map(open -> open.admin().nodeId()).filter(node.id()::equals).isPresent();
    }

    private List<WorkerSnapshot> snapshots(NodeRecord node) {
        return isSelf(node) ? backend.pool().orElseThrow().admin().workers()
                : storedSnapshots(node);
    }

    /** A node whose snapshot is damaged is listed without workers. */
    private static List<WorkerSnapshot> storedSnapshots(NodeRecord node) {
        try {
            return ControlJson.readStored(node.workers(), SNAPSHOTS);
        } catch (JacksonException e) {
            return List.of();
        }
    }

    WorkerDetail worker(String id) {
        WorkerView worker = findEver(id).orElseThrow(() -> notFound(id));
        List<StateChange> history = backend.pool().map(pool -> pool.admin().workerHistory(worker.id()))
                .orElse(List.of());
        return new WorkerDetail(worker, history);
    }

    /** Finds a worker as {@link #find} does, or one of this node that is gone. The exact id comes first. */
    private Optional<WorkerView> findEver(String id) {
        List<WorkerView> past = backend.pool().map(pool -> pool.admin().pastWorkers().stream()
                .map(worker -> Views.worker(worker, pool.admin().nodeId(), backend.now())).toList()).orElse(List.of());
        return past.stream().filter(worker -> worker.id().equals(id)).findFirst().or(() -> find(id))
                .or(() -> only(past, id, worker -> worker.id().endsWith("/" + id)));
    }

    /**
     * Finds a worker by its id, a prefix of it, its name without the node, or its slot: the name without its
     * generation.
     */
    Optional<WorkerView> find(String id) {
        List<WorkerView> all = workers();
        return all.stream().filter(worker -> worker.id().equals(id)).findFirst()
                .or(() -> only(all, id, worker -> worker.id().startsWith(id)))
                .or(() -> only(all, id, worker -> worker.id().endsWith("/" + id)))
                .or(() -> only(all, id, worker -> slot(worker.id()).endsWith("/" + id)));
    }

    /** Returns {@code embed-1} for {@code embed-1.2}, the second worker in that slot. */
    private static String slot(String id) {
        return id.replaceFirst("-(\\d+)\\.\\d+$", "-$1");
    }

    private static Optional<WorkerView> only(List<WorkerView> all, String id, Predicate<WorkerView> matches) {
        List<WorkerView> found = all.stream().filter(matches).toList();
        if (found.size() > 1) {
            throw new ControlException(Kind.AMBIGUOUS, "several workers match '" + Limits.quoted(id)
                    + "', such as " + found.get(0).id() + " and " + found.get(1).id() + "; give more of the id");
        }
        return found.stream().findFirst();
    }

    static ControlException notFound(String id) {
        return ControlException.notFound("no worker has the id '" + Limits.quoted(id)
                + "'; it may have been replaced, list the workers again");
    }

    WorkerView start() {
        Pool pool = requirePool();
        return Views.worker(pool.admin().startWorker(), pool.admin().nodeId(), backend.now());
    }

    /** Stops or drains a worker of this node. Returns the worker as it was before. */
    WorkerView remove(String id, BiPredicate<Pool, String> command) {
        Pool pool = requirePool();
        WorkerView worker = find(id).orElseThrow(() -> notFound(id));
        if (!worker.state().isLive()) {
            throw new ControlException(Kind.CONFLICT,
                    "worker " + worker.id() + " has already ended and is about to be replaced");
        }
        try {
            if (command.test(pool, worker.id())) {
                return worker;
            }
        } catch (IllegalStateException e) {
            throw new ControlException(Kind.CONFLICT, String.valueOf(e.getMessage()), e);
        }
        throw new ControlException(Kind.CONFLICT,
                "worker " + worker.id() + " belongs to node " + worker.node() + "; ask that node");
    }

    private Pool requirePool() {
        return backend.pool().orElseThrow(
                () -> new ControlException(Kind.CONFLICT, "no node runs here; start one with 'heddle serve'"));
    }
}
