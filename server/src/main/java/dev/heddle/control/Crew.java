package dev.heddle.control;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.pool.Pool;
import dev.heddle.store.NodeRecord;
import dev.heddle.worker.StateChange;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worker.WorkerState;
import tools.jackson.core.type.TypeReference;

/** The nodes on a store and their workers: this process's as they are, the others as of their last renewal. */
record Crew(List<NodeRecord> records, Optional<Pool> pool) {

    private static final TypeReference<List<WorkerSnapshot>> SNAPSHOTS = new TypeReference<>() {};

    static Crew of(Ground ground) {
        return new Crew(ground.nodes(), ground.pool());
    }

    private boolean isSelf(NodeRecord node) {
        return pool.map(Pool::nodeId).filter(node.id()::equals).isPresent();
    }

    private List<WorkerSnapshot> workers(NodeRecord node) {
        return isSelf(node) ? pool.orElseThrow().workers()
                : ControlJson.readAnswer(node.workers().getBytes(StandardCharsets.UTF_8), SNAPSHOTS);
    }

    List<NodeView> nodes(Instant now) {
        return records.stream().map(node -> {
            List<WorkerSnapshot> workers = workers(node);
            int busy = (int) workers.stream().filter(worker -> worker.state() == WorkerState.BUSY).count();
            return new NodeView(node.id(), node.joinedAt(), node.renewedAt(), node.lease(),
                    isSelf(node) || now.isBefore(node.renewedAt().plus(node.lease())), isSelf(node),
                    (int) workers.stream().filter(worker -> worker.state().isLive()).count(), busy);
        }).toList();
    }

    List<WorkerView> workers(Instant now) {
        return records.stream().flatMap(node -> workers(node).stream()
                .map(worker -> WorkerView.of(worker, node.id(), isSelf(node) ? now : node.renewedAt())))
                .toList();
    }

    WorkerDetail worker(String id, Instant now) {
        WorkerView worker = find(id, now).orElseThrow(() -> unknown(id));
        List<StateChange> history = pool.map(node -> node.history(worker.id())).orElse(List.of());
        return new WorkerDetail(worker, history);
    }

    /** By its id, the beginning of it, its name after the node's, or its place: the name without a number of who came later. */
    Optional<WorkerView> find(String id, Instant now) {
        List<WorkerView> all = workers(now);
        return first(all, one -> one.id().equals(id))
                .or(() -> only(all, id, one -> one.id().startsWith(id)))
                .or(() -> only(all, id, one -> one.id().endsWith("/" + id)))
                .or(() -> only(all, id, one -> place(one.id()).endsWith("/" + id)));
    }

    /** {@code embed-1.2} has taken the place {@code embed-1}. */
    private static String place(String id) {
        return id.replaceFirst("-(\\d+)\\.\\d+$", "-$1");
    }

    static ControlException unknown(String id) {
        return ControlException.notFound("no worker has the id '" + Translation.shown(id)
                + "'; workers come and go, list them again");
    }

    /** One worker more on this node. */
    WorkerView start(Instant now) {
        Pool node = node();
        return WorkerView.of(node.startWorker(), node.nodeId(), now);
    }

    /** One worker fewer on this node; says which one it was. */
    WorkerView dismiss(String id, Instant now, BiPredicate<Pool, String> order) {
        Pool node = node();
        WorkerView worker = worker(id, now).worker();
        if (!worker.state().isLive()) {
            throw new ControlException(Kind.CONFLICT, "worker " + worker.id()
                    + " has ended already, and another one is to start in its place");
        }
        try {
            if (order.test(node, worker.id())) {
                return worker;
            }
        } catch (IllegalStateException e) {
            throw new ControlException(Kind.CONFLICT, String.valueOf(e.getMessage()), e);
        }
        throw new ControlException(Kind.CONFLICT,
                "worker " + worker.id() + " is of node " + worker.node() + "; ask that one");
    }

    private Pool node() {
        return pool.orElseThrow(() -> new ControlException(Kind.CONFLICT,
                "no node runs here that could be told so; start one with 'heddle serve'"));
    }

    private static Optional<WorkerView> first(List<WorkerView> all, Predicate<WorkerView> which) {
        return all.stream().filter(which).findFirst();
    }

    private static Optional<WorkerView> only(List<WorkerView> all, String id, Predicate<WorkerView> which) {
        List<WorkerView> found = all.stream().filter(which).toList();
        if (found.size() > 1) {
            throw new ControlException(Kind.AMBIGUOUS,
                    "more than one worker's id fits '" + Translation.shown(id)
                            + "': "
                            + String.join(", ",
                                    Stream.of(found.get(0), found.get(1)).map(WorkerView::id).toList())
                            + "; give more of it");
        }
        return found.stream().findFirst();
    }
}
