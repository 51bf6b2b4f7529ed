package dev.heddle.cli.serve;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import dev.heddle.control.Control;
import dev.heddle.store.JobReader;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/** Kills one node after the other at random moments, and lets the last ones finish the work. */
final class TortureRun {

    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(15);
    private static final List<Duration> CLOCKS = List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1),
            Duration.ofDays(1));
    /** One kill in four comes while the node opens. */
    private static final int OPENING = 4;
    /** Every fifteenth kill follows a clock jump, and every fifteenth a full disk. */
    private static final int TURN = 15;
    private static final int JUMP = 2;
    private static final int FULL = 4;

    private final Random random;
    private final int kills;
    private final List<TortureSite> sites;
    private final Disk disk;
    private final Map<TortureSite, Running> running = new HashMap<>();
    private final long started = System.nanoTime();
    private int clock;
    private int jumps;
    private int full;
    private String load = "";
    private Map<String, TortureLoad.Kind> acknowledged = Map.of();

    private record Running(ServedNode node, Control control) {}

    /** The disk of the nodes. */
    interface Disk {
        /** Fills it up for a while; returns false if it cannot be filled. */
        boolean fill() throws InterruptedException;
    }

    TortureRun(Random random, int kills, List<TortureSite> sites, Disk disk) {
        this.random = random;
        this.kills = kills;
        this.sites = sites;
        this.disk = disk;
    }

    /** Kills the nodes, then waits until all work is done and stops them in order. */
    void kill() throws Exception {
        TortureLoad submitting = new TortureLoad(random);
        try {
            for (TortureSite site : sites) {
                open(site, submitting);
            }
            for (int kill = 1; kill <= kills; kill++) {
                TortureSite victim = sites.get(random.nextInt(sites.size()));
                disturb(kill, victim, submitting);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(600));
                submitting.leave(running(victim).control());
                running(victim).node().kill();
                for (; kill % TURN > FULL && kill < kills && random.nextInt(OPENING) == 0; kill++) {
                    ServedNode opening = victim.start();
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(1_500));
                    opening.kill();
                }
                open(victim, submitting);
                if (kill % 50 == 0) {
                    report(kill + " kills so far, " + submitting.summary());
                }
            }
            int before = submitting.count();
            Awaitility.await("new work after the last kill").atMost(DRAINED_WITHIN)
                    .until(() -> submitting.count() > before + 20);
            submitting.stop();
            load = submitting.summary();
            acknowledged = submitting.acknowledged();
            finish();
        } finally {
            running.values().forEach(each -> each.node().close());
        }
    }

    private void open(TortureSite site, TortureLoad submitting) throws Exception {
        ServedNode node = site.start().awaitListening();
        running.put(site, new Running(node, submitting.join(site, node)));
    }

    private Running running(TortureSite site) {
        return Objects.requireNonNull(running.get(site), "a node runs at every site");
    }

    private void disturb(int kill, TortureSite site, TortureLoad submitting) throws Exception {
        if (kill % TURN == JUMP) {
            clock = (clock + 1 + random.nextInt(CLOCKS.size() - 1)) % CLOCKS.size();
            site.setClock(CLOCKS.get(clock));
            jumps++;
            TimeUnit.MILLISECONDS.sleep(500);
        }
        if (kill % TURN == FULL && disk.fill()) {
            full++;
            int before = submitting.count();
            Awaitility.await("submits are accepted once the disk has space").atMost(DRAINED_WITHIN)
                    .until(() -> submitting.count() > before);
        }
    }

    private void finish() throws Exception {
        Control control = running(sites.getFirst()).control();
        Awaitility.await("the end of all jobs").atMost(DRAINED_WITHIN).pollInterval(Duration.ofMillis(500))
                .until(() -> control.stats().jobs().isEmpty());
        for (TortureSite site : sites) {
            ServedNode node = running(site).node();
            node.signal("TERM");
            assertThat(node.exitCode()).as("%s", node.lines()).isZero();
        }
    }

    void check(JobReader store, Path log) throws Exception {
        TortureChecks checks = new TortureChecks(store);
        checks.everyAcknowledgedJobHasItsEnd(acknowledged);
        checks.nothingRanTwice(log);
        List<String> processes = new ArrayList<>();
        Awaitility.await("no process is left").untilAsserted(() -> {
            processes.clear();
            sites.forEach(site -> processes.addAll(site.processes()));
            assertThat(processes).isEmpty();
        });
        report(kills + " kills, " + jumps + " clock jumps, full disk " + full + " times; " + load + "; "
                + checks.summary());
    }

    private void report(String text) {
        System.out.println("torture: " + Duration.ofNanos(System.nanoTime() - started).toSeconds() + " s, " + text);
    }
}
