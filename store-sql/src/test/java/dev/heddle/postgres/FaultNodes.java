package dev.heddle.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.testkit.ChildJvm;

import static org.assertj.core.api.Assertions.assertThat;

/** The nodes of a {@link FaultTest}: a new one for each that is killed. */
final class FaultNodes implements AutoCloseable {

    private static final int SIZE = 3;
    /** Kills a node with the test: a suspended node would not notice the end of its input. */
    private static final List<String> DIE_WITH_PARENT = List.of("setpriv", "--pdeathsig", "KILL");

    private final String url;
    private final Path log;
    private final Random random;
    private final List<ChildJvm> all = new ArrayList<>();
    private final List<ChildJvm> alive = new ArrayList<>();
    private final Set<Long> suspended = new HashSet<>();

    FaultNodes(String url, Path log, Random random) {
        this.url = url;
        this.log = log;
        this.random = random;
        for (int i = 0; i < SIZE; i++) {
            add();
        }
    }

    private void add() {
        ChildJvm child = ChildJvm.startIn(DIE_WITH_PARENT, FaultNode.class, url, log.toString(),
                Long.toString(random.nextLong()));
        all.add(child);
        alive.add(child);
    }

    /** Kills one and starts another. */
    void replaceOne() {
        ChildJvm child = alive.remove(random.nextInt(alive.size()));
        child.kill();
        add();
    }

    void suspend(ChildJvm child) {
        suspended.add(child.pid());
        child.suspend();
    }

    /** Finds a live node by its name in the store. */
    Optional<ChildJvm> find(String node) {
        return alive.stream().filter(child -> child.pid() == pid(node)).findFirst();
    }

    List<ChildJvm> alive() {
        return List.copyOf(alive);
    }

    /** Returns whether the node was ever suspended, and so may have acted after its lease without knowing it. */
    boolean wasSuspended(String node) {
        return suspended.contains(pid(node));
    }

    boolean wasKilled(String node) {
        return find(node).isEmpty();
    }

    /** Returns whether the node lost its lease, or nearly, after the faults were over. */
    boolean lapsedAfterFaults(String node) {
        return find(node).stream().flatMap(child -> child.lines().stream())
                .dropWhile(line -> !line.equals(FaultNode.QUIET))
                .anyMatch(line -> line.contains(" stops its ") || line.contains("was declared dead"));
    }

    /** Returns everything that all nodes have printed. */
    Stream<String> lines() {
        return all.stream().flatMap(child -> child.lines().stream());
    }

    /**
     * Returns the process id, the last but one part of a node's name. A node that joined again has a suffix after a
     * dot.
     */
    private static long pid(String node) {
        String[] words = firstName(node).split("-", -1);
        return Long.parseLong(words[words.length - 2]);
    }

    /** Returns the name that a node had before it joined again. */
    static String firstName(String node) {
        return node.replaceFirst("[.].*", "");
    }

    /** Sends a word to all nodes, and waits until each has repeated it. */
    void tell(String word) {
        alive.forEach(child -> child.writeLine(word));
        alive.forEach(child -> child.awaitLine(word::equals));
    }

    /** Has all nodes close their pools and exit. */
    void closeAll() {
        alive.forEach(child -> child.writeLine(FaultNode.CLOSE));
        for (ChildJvm child : alive) {
            assertThat(child.exitCode(Duration.ofSeconds(60))).as("%s", child.lines()).isZero();
        }
    }

    /** Kills all nodes, and writes what they printed next to the log. */
    @Override
    public void close() throws IOException {
        all.forEach(ChildJvm::kill);
        for (ChildJvm child : all) {
            Files.write(log.resolveSibling("node-" + child.pid()), child.lines());
        }
    }
}
