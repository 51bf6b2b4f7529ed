package dev.heddle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.heddle.testkit.ChildJvm;

/** Nodes in JVMs of their own that a test kills and stops. */
final class KillableNodes implements AutoCloseable {

    /** Printed by a node once it works. */
    static final String OPEN = "OPEN";

    static final Duration LEASE = Duration.ofSeconds(2);
    static final Duration RENEW_EVERY = Duration.ofMillis(400);

    private final Class<?> main;
    private final String[] arguments;
    private final List<ChildJvm> running = new ArrayList<>();
    private final List<ChildJvm> ended = new ArrayList<>();
    private int killed;
    private int stopped;

    private KillableNodes(Class<?> main, String... arguments) {
        this.main = main;
        this.arguments = arguments;
    }

    /** Starts nodes and waits until they work. */
    static KillableNodes start(int count, Class<?> main, String... arguments) {
        KillableNodes nodes = new KillableNodes(main, arguments);
        for (int i = 0; i < count; i++) {
            nodes.running.add(ChildJvm.start(main, arguments));
        }
        nodes.running.forEach(node -> node.awaitLine(OPEN::equals));
        return nodes;
    }

    /** Kills a node and starts another one; or, every third time, stops one until it has been declared dead. */
    void disturb(Random random) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(800));
        int victim = random.nextInt(running.size());
        if ((killed + stopped) % 3 == 1) {
            stopped++;
            running.get(victim).suspend();
            TimeUnit.MILLISECONDS.sleep(LEASE.toMillis() * 3 / 2 + random.nextInt(500));
            running.get(victim).resume();
        } else {
            restart(victim);
        }
    }

    private void restart(int victim) {
        killed++;
        running.get(victim).kill();
        ended.add(running.get(victim));
        ChildJvm next = ChildJvm.start(main, arguments);
        running.set(victim, next);
        next.awaitLine(OPEN::equals);
    }

    /** Returns everything that all nodes have printed. */
    List<String> output() {
        List<String> lines = new ArrayList<>();
        ended.forEach(node -> lines.addAll(node.lines()));
        running.forEach(node -> lines.addAll(node.lines()));
        return lines;
    }

    /** Returns how many nodes were killed and stopped. */
    @Override
    public String toString() {
        return killed + " nodes killed, " + stopped + " stopped";
    }

    @Override
    public void close() {
        running.forEach(ChildJvm::close);
    }
}
