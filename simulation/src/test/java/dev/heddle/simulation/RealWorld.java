package dev.heddle.simulation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.heddle.simulation.RealPlan.Fault;
import dev.heddle.store.JobReader;
import dev.heddle.store.Store;

/** Real nodes on a real store, what happens to them, and what must be true of them. */
final class RealWorld {

    /** How long after the last fault every job must have ended, on a machine that may be busy. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final RealPlan plan;
    private final RealStore store;
    private final Path directory;
    private final Random random;
    private final Ends ends = new Ends();
    private final Set<String> violations = new LinkedHashSet<>();
    private int kills;
    private int stops;
    private int closes;
    private int cuts;

    RealWorld(RealPlan plan, RealStore store, Path directory) {
        this.plan = plan;
        this.store = store;
        this.directory = directory;
        this.random = new Random(plan.seed() * 31 + 7);
    }

    /** Plays the plan. */
    RealResult play() throws InterruptedException {
        try (RealNodes nodes = new RealNodes(plan, store, directory, random, violations::add)) {
            while (kills < plan.kills() && violations.isEmpty()) {
                if (random.nextBoolean()) {
                    strike(nodes);
                }
                kill(nodes.choose());
                nodes.replaceEnded();
                look(nodes);
            }
            nodes.calm();
            settle(nodes);
            nodes.closeAll();
            return check(nodes);
        }
    }

    private void pause(Duration shortest, Duration longest) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextLong(shortest.toMillis(), longest.toMillis()));
    }

    private void kill(RealProcess node) throws InterruptedException {
        pause(Duration.ZERO, Duration.ofSeconds(1));
        if (node.isAlive()) {
            kills++;
            node.kill();
        }
    }

    private void strike(RealNodes nodes) throws InterruptedException {
        List<Fault> faults = plan.faults().stream().sorted().toList();
        if (faults.isEmpty()) {
            return;
        }
        RealProcess node = nodes.choose();
        switch (faults.get(random.nextInt(faults.size()))) {
            case STOP -> {
                stops++;
                node.stop();
                pause(RealNode.LEASE.dividedBy(2), RealNode.LEASE.multipliedBy(2));
                node.resume();
            }
            case CLOSE -> {
                closes++;
                node.close();
            }
            case CUT -> {
                cuts++;
                store.cut();
            }
        }
        nodes.replaceEnded();
    }

    /**
     * Waits until every job has ended, and the store has forgotten all dead nodes. The time that this may take begins
     * again with every node that is killed by a job.
     */
    private void settle(RealNodes nodes) throws InterruptedException {
        long since = System.nanoTime();
        while (!look(nodes)) {
            if (nodes.replaceEnded()) {
                since = System.nanoTime();
            }
            if (System.nanoTime() - since > PATIENCE.toNanos()) {
                violations.add("not settled in time: "
                        + store.read(reader -> reader.countJobs().live() + ", nodes " + reader.nodes()));
                return;
            }
            TimeUnit.MILLISECONDS.sleep(300);
        }
    }

    // What must be true

    /**
     * Checks what can be checked while nodes work; returns whether they have nothing left to do. Stories have to wait,
     * because those of two nodes are not read at the same moment.
     */
    private boolean look(RealNodes nodes) {
        Stories stories = new Stories();
        nodes.reports().forEach(stories::add);
        return store.read(reader -> {
            RealEvidence evidence = evidence(nodes, stories, Snapshot.of(reader));
            stories.all().stream().filter(story -> isLive(story, evidence)).forEach(story -> story.workload()
                    .wrongNow(story, evidence).ifPresent(what -> violations.add(name(story) + " " + what)));
            violations.addAll(ends.wrong(evidence));
            return reader.countJobs().live().isEmpty() && reader.nodes().size() == plan.nodes();
        });
    }

    private static boolean isLive(Story story, Evidence evidence) {
        return evidence.observer().find(story.id()).filter(job -> !job.state().isFinal()).isPresent();
    }

    private RealEvidence evidence(RealNodes nodes, Stories stories, JobReader observer) {
        // A node that is alone loses nothing to others while it stands still.
        boolean stoodStill = store.isShared() && (stops > 0 || nodes.stoodStill());
        int deaths = kills + (int) nodes.killedByJobs() + stops;
        return new RealEvidence(stories, observer, nodes.deathTimes(), deaths, plan.nodes() * RealNode.WORKERS,
                !store.isShared(), closes > 0, stoodStill);
    }

    /** Checks everything, after all nodes have closed. */
    private RealResult check(RealNodes nodes) {
        Stories stories = new Stories();
        for (Report report : nodes.reports()) {
            if (stories.add(report).isEmpty()) {
                violations.add("job " + report.job() + " runs and was never submitted");
            }
        }
        try (Store observer = RealStore.open(store.address())) {
            RealEvidence evidence = evidence(nodes, stories, observer);
            for (Story story : stories.all()) {
                StoryRules.wrong(story, evidence).forEach(what -> violations.add(name(story) + " " + what));
                story.workload().wrongSoFar(story, evidence)
                        .ifPresent(what -> violations.add(name(story) + " " + what));
            }
            violations.addAll(ends.wrong(evidence));
            violations.addAll(EndRules.wrong(plan.work(), evidence));
            if (!observer.nodes().isEmpty()) {
                violations.add("nodes are left behind: " + observer.nodes());
            }
            return new RealResult(1, stories.all().stream().filter(Story::isAcknowledged).count(),
                    stories.all().stream().mapToLong(story -> story.executions().size()).sum(), kills,
                    nodes.killedByJobs(), stops, closes, cuts, evidence.mayStandStill() ? 1 : 0,
                    List.copyOf(violations));
        }
    }

    private static String name(Story story) {
        return story + " " + story.id();
    }
}
