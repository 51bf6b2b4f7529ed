package dev.heddle.engine.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import dev.heddle.engine.execute.WorkerGroup;
import dev.heddle.engine.support.JsonCodec;
import dev.heddle.store.NodeRecord;
import dev.heddle.worker.WorkerSnapshot;
import org.jspecify.annotations.Nullable;

/** This node as other nodes see it: its id, its lease, and its workers. */
public final class NodeIdentity {

    private final String name;
    private final InstantSource clock;
    private final Duration lease;
    private final List<WorkerGroup> groups;
    private final JsonCodec codec;
    private final Instant joinedAt;
    private volatile String id;
    /** The workers of the last record: most renewals find them unchanged. */
    private volatile @Nullable Written written;
    private int incarnation = 1;

    private record Written(List<WorkerSnapshot> workers, String json) {}

    /**
     * Creates the identity of a node that has not joined yet.
     *
     * @param name the id of the first incarnation; later ones append a number
     */
    public NodeIdentity(String name, InstantSource clock, Duration lease, List<WorkerGroup> groups, JsonCodec codec) {
        this.name = name;
        this.id = name;
        this.clock = clock;
        this.lease = lease;
        this.groups = groups;
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
        Written last = written;
        if (last == null || !last.workers.equals(workers)) {
            last = new Written(workers, codec.write(workers, "workers of node " + id));
            written = last;
        }
        return new NodeRecord(id, joinedAt, now, lease, last.json);
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
