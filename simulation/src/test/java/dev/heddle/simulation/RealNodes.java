package dev.heddle.simulation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** All real nodes of a run, with those that have ended. Each that ends is replaced. */
final class RealNodes implements AutoCloseable {

    /** How many clients all nodes have together. */
    private static final int CLIENTS = 6;

    private final RealPlan plan;
    private final RealStore store;
    private final Path directory;
    private final Random random;
    private final Consumer<String> violated;
    private final List<RealProcess> all = new ArrayList<>();
    private final List<RealProcess> present = new ArrayList<>();
    private int clientsEach;

    RealNodes(RealPlan plan, RealStore store, Path directory, Random random, Consumer<String> violated) {
        this.plan = plan;
        this.store = store;
        this.directory = directory;
        this.random = random;
        this.violated = violated;
        this.clientsEach = CLIENTS / plan.nodes();
        fill();
    }

    private void fill() {
        while (present.size() < plan.nodes()) {
            int number = all.size() + 1;
            RealProcess node = RealProcess.start("node-" + number, plan, store, directory, clientsEach,
                    plan.seed() * 1_000 + number);
            all.add(node);
            present.add(node);
        }
    }

    /** Replaces the nodes that have ended, by the test or by a job that killed them; returns whether there were any. */
    boolean replaceEnded() {
        List<RealProcess> ended = present.stream().filter(node -> !node.isAlive()).toList();
        ended.forEach(node -> node.wrong().ifPresent(violated));
        present.removeAll(ended);
        fill();
        return !ended.isEmpty();
    }

    /** Returns any node that is there, mostly one that works, sometimes one that has just started. */
    RealProcess choose() {
        RealProcess node = present.get(random.nextInt(present.size()));
        node.awaitLine(random.nextInt(4) == 0 ? RealNode.READY : RealNode.BUSY);
        return node;
    }

    /** Has all nodes submit no more. */
    void calm() {
        clientsEach = 0;
        present.forEach(RealProcess::calm);
    }

    /** Has all nodes close. */
    void closeAll() {
        for (RealProcess node : present) {
            node.close();
            node.wrong().ifPresent(violated);
        }
        present.clear();
    }

    /** Returns how many nodes were killed by their jobs. */
    long killedByJobs() {
        return all.stream().filter(RealProcess::hasKilledItself).count();
    }

    boolean stoodStill() {
        return all.stream().anyMatch(RealProcess::stoodStill);
    }

    Map<String, Long> deathTimes() {
        return all.stream().collect(Collectors.toMap(RealProcess::name, RealProcess::diedAt));
    }

    /** Returns what all nodes have told so far, in the order in which it happened. */
    List<Report> reports() {
        return all.stream().flatMap(node -> node.reports().stream()).sorted(Comparator.comparingLong(Report::at))
                .toList();
    }

    @Override
    public void close() {
        all.forEach(node -> node.discard(directory));
    }
}
