package dev.heddle.memory;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.env.Environment;
import dev.heddle.store.NodeRecord;

/**
 * Many nodes at a time, each with a lease by the clock of the store. A node that has renewed its lease without a gap
 * for a whole lease may declare those dead whose lease has ended.
 */
final class LeasedNodes implements MemoryNodes {

    private final Environment env;
    private final Map<String, Lease> leases = new LinkedHashMap<>();

    /**
     * The lease of a node.
     *
     * @param until when it ends
     * @param steadySince since when the node has renewed it in time
     */
    private record Lease(NodeRecord node, Duration until, Duration steadySince) {

        /**
         * Renewals normally come with two thirds of the lease left. If less than half is left, the node starts to count
         * again: the store may have been away, and the first node to come back must not declare the others dead.
         */
        Lease extended(NodeRecord renewed, Duration now) {
            boolean late = until.compareTo(now.plus(node.lease().dividedBy(2))) < 0;
            return new Lease(renewed, now.plus(node.lease()), late ? now : steadySince);
        }

        boolean isSteady(Duration now) {
            return now.minus(steadySince).compareTo(node.lease()) >= 0;
        }
    }

    LeasedNodes(Environment env) {
        this.env = env;
    }

    @Override
    public boolean join(NodeRecord node) {
        Duration now = env.elapsed();
        leases.put(node.id(), new Lease(MemoryNodes.record(node, node.joinedAt(), node.joinedAt()),
                now.plus(node.lease()), now));
        return true;
    }

    @Override
    public Standing renew(NodeRecord node) {
        Duration now = env.elapsed();
        Lease lease = leases.computeIfPresent(node.id(), (_, known) -> known
                .extended(MemoryNodes.record(node, known.node.joinedAt(), node.renewedAt()), now));
        return lease == null ? Standing.DEAD
                : new Standing(true, lease.isSteady(now), expired(node.id(), now));
    }

    private Set<String> expired(String survivor, Duration now) {
        Set<String> expired = new HashSet<>();
        leases.forEach((id, lease) -> {
            if (!id.equals(survivor) && lease.until.compareTo(now) < 0) {
                expired.add(id);
            }
        });
        return expired;
    }

    @Override
    public Set<String> dead(String survivor, Set<String> holders) {
        Duration now = env.elapsed();
        Lease lease = leases.computeIfPresent(survivor, (_, known) -> known.extended(known.node, now));
        if (lease == null || !lease.isSteady(now)) {
            return Set.of();
        }
        Set<String> dead = expired(survivor, now);
        holders.stream().filter(id -> !leases.containsKey(id)).forEach(dead::add);
        return dead;
    }

    @Override
    public void remove(Set<String> dead) {
        leases.keySet().removeAll(dead);
    }

    @Override
    public void leave(String node, boolean holdsJobs) {
        if (holdsJobs) {
            leases.computeIfPresent(node,
                    (_, lease) -> new Lease(lease.node, Duration.ofSeconds(Long.MIN_VALUE), lease.steadySince));
        } else {
            leases.remove(node);
        }
    }

    @Override
    public boolean mayClaim(String node) {
        return leases.containsKey(node);
    }

    @Override
    public List<NodeRecord> list() {
        return leases.values().stream().map(Lease::node).toList();
    }
}
