package dev.heddle.engine.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

import dev.heddle.engine.execute.WorkerGroup;
import dev.heddle.engine.support.JsonCodec;
import dev.heddle.store.NodeRecord;
import dev.heddle.waiting.NodeStatus;
import dev.heddle.worker.WorkerSnapshot;
import org.jspecify.annotations.Nullable;

/** This node as other nodes see it: its id, its lease, and its workers. */
public final class NodeIdentity {

    private final String name;
    private final InstantSource clock;
    private final Duration lease;
    private final List<WorkerGroup> groups;
    private final Supplier<NodeStatus> status;
    private final JsonCodec codec;
    private final Instant joinedAt;
    private volatile String id;
    /** What the last record said of this node: most renewals find it unchanged. */
    private volatile @Nullable Written written;
    private int incarnation = 1;

    private record Written(List<WorkerSnapshot> workers, NodeStatus status, String workersJson, String statusJson) {}

    /**
     * Creates the identity of a node that has not joined yet.
     *
     * @param name the id of the first incarnation; later ones append a number
     * @param status what the node would start; called often, and must not wait
     */
    public NodeIdentity(String name, InstantSource clock, Duration lease, List<WorkerGroup> groups,
            Supplier<NodeStatus> status, JsonCodec codec) {
        this.name = name;
        this.id = name;
        this.clock = clock;
        this.lease = lease;
        this.groups = groups;
        this.status = status;
        this.codec = codec;
        this.joinedAt = clock.instant();
    }

    String id() {
        return id;
    }

    Instant joinedAt() {
        return joinedAt;
    }

    /** Returns the row of this node in the store. */
    NodeRecord record(Instant now) {
        var workers = groups.stream().flatMap(group -> group.snapshots().stream()).toList();
        NodeStatus current = status.get();
        Written last = written;
        if (last == null || !last.workers.equals(workers) || !last.status.equals(current)) {
            last = new Written(workers, current, codec.write(workers, "workers of node " + id), current.toJson());
            written = last;
        }
        return new NodeRecord(id, joinedAt, now, lease, last.workersJson, last.statusJson);
    }

    /** Returns a row with an id that no earlier try to rejoin can have left in the store. */
    NodeRecord nextIncarnation() {
        incarnation++;
        return new NodeRecord(name + "." + incarnation, joinedAt, clock.instant(), lease, "[]");
    }

    /** Takes the id of a row that has joined. */
    void become(NodeRecord joined) {
        id = joined.id();
    }
}
