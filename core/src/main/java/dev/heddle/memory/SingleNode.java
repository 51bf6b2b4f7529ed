package dev.heddle.memory;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.store.NodeRecord;

/** One node at a time: when a node recovers, all others are dead. */
final class SingleNode implements MemoryNodes {

    private final Map<String, NodeRecord> nodes = new LinkedHashMap<>();

    @Override
    public boolean join(NodeRecord node) {
        nodes.put(node.id(), MemoryNodes.record(node, node.joinedAt(), node.joinedAt()));
        return false;
    }

    @Override
    public Standing renew(NodeRecord node) {
        NodeRecord renewed = nodes.computeIfPresent(node.id(),
                (_, known) -> MemoryNodes.record(node, known.joinedAt(), node.renewedAt()));
        return renewed == null ? Standing.DEAD : new Standing(true, true, Set.of());
    }

    @Override
    public Set<String> dead(String survivor, Set<String> holders) {
        Set<String> dead = new HashSet<>(nodes.keySet());
        dead.addAll(holders);
        dead.remove(survivor);
        return dead;
    }

    @Override
    public void remove(Set<String> dead) {
        nodes.keySet().removeAll(dead);
    }

    @Override
    public void leave(String node, boolean holdsJobs) {}

    @Override
    public boolean mayClaim(String node) {
        return true;
    }

    @Override
    public List<NodeRecord> list() {
        return List.copyOf(nodes.values());
    }
}
