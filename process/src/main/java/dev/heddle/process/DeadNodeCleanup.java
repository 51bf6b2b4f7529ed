package dev.heddle.process;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

import dev.heddle.process.files.ScratchDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the processes of nodes on this machine that died without ending them. */
final class DeadNodeCleanup {

    private static final Logger LOG = LoggerFactory.getLogger(DeadNodeCleanup.class);

    private final ProcessRegistry registry;
    private final Platform platform;
    private final Sweeper sweeper;

    /** The state of another node as seen from this one. */
    enum NodeState {
        /** The node runs here and looks after its processes itself. */
        ALIVE,
        /** The node has died, and its processes may be alive. */
        DEAD,
        /** The machine has been rebooted since, so neither the node nor its processes can be alive. */
        REBOOTED,
        /** The node belongs to another machine or container, where its processes cannot be seen from here. */
        ELSEWHERE
    }

    DeadNodeCleanup(ProcessRegistry registry, Platform platform, Sweeper sweeper) {
        this.registry = registry;
        this.platform = platform;
        this.sweeper = sweeper;
    }

    static NodeState stateOf(ProcessRegistry.Node node, Platform.Machine here, LongUnaryOperator startTicks) {
        Platform.Machine there = node.machine();
        if (!there.id().equals(here.id())) {
            return NodeState.ELSEWHERE;
        }
        if (!there.bootId().equals(here.bootId())) {
            return NodeState.REBOOTED;
        }
        if (!there.view().equals(here.view())) {
            return NodeState.ELSEWHERE;
        }
        return startTicks.applyAsLong(node.pid()) == node.startTicks() ? NodeState.ALIVE : NodeState.DEAD;
    }

    void run() {
        registry.removeUnfinished(platform::startTicks);
        ScratchDirectory.sweep();
        for (ProcessRegistry.NodeEntry entry : registry.others()) {
            switch (stateOf(entry.node(), platform.machine(), platform::startTicks)) {
                case ALIVE, ELSEWHERE -> {
                }
                case REBOOTED -> {
                    entry.records().forEach(record -> forget(entry, record));
                    ProcessRegistry.removeIfEmpty(entry.directory());
                }
                case DEAD -> sweep(entry);
            }
        }
    }

    private void sweep(ProcessRegistry.NodeEntry entry) {
        Map<ProcessRecord, CompletableFuture<Sweeper.Result>> sweeps = entry.records().stream()
                .collect(Collectors.toMap(record -> record, sweeper::sweep));
        sweeps.forEach((record, sweep) -> {
            Sweeper.Result swept = sweep.join();
            LOG.atInfo().addKeyValue("run", record.label()).addKeyValue("killed", swept.killed()).log(
                    "Cleaned up {} of a dead node (process {}): {} processes killed", record.label(),
                    entry.node().pid(), swept.killed());
            List<Long> survivors = swept.survivors();
            if (survivors.isEmpty()) {
                forget(entry, record);
            } else {
                LOG.warn("Cannot kill processes {} of {}; the next node to open will try again", survivors,
                        record.label());
            }
        });
        ProcessRegistry.removeIfEmpty(entry.directory());
    }

    private static void forget(ProcessRegistry.NodeEntry entry, ProcessRecord record) {
        TempDirectory.delete(record.temp());
        ProcessRegistry.remove(entry, record.mark());
    }
}
