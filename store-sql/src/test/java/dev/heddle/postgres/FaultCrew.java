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
final class FaultCrew implements AutoCloseable {

    private static final int SIZE = 3;
    /** A node that stands still does not notice the end of its input, should the test be killed. */
    private static final List<String> DIES_WITH_US = List.of("setpriv", "--pdeathsig", "KILL");

    private final String url;
    private final Path log;
    private final Random random;
    private final List<ChildJvm> all = new ArrayList<>();
    private final List<ChildJvm> living = new ArrayList<>();
    private final Set<Long> stopped = new HashSet<>();

    FaultCrew(String url, Path log, Random random) {
        this.url = url;
        this.log = log;
        this.random = random;
        for (int i = 0; i < SIZE; i++) {
            add();
        }
    }

    private void add() {
        ChildJvm child = ChildJvm.startIn(DIES_WITH_US, FaultNode.class, url, log.toString(),
                Long.toString(random.nextLong()));
        all.add(child);
        living.add(child);
    }

    /** Kills one and starts another. */
    void replaceOne() {
        ChildJvm child = living.remove(random.nextInt(living.size()));
        child.kill();
        add();
    }

    void suspend(ChildJvm child) {
        stopped.add(child.pid());
        child.suspend();
    }

    /** Who calls itself so in the store, if it is one that lives. */
    Optional<ChildJvm> find(String node) {
        return living.stream().filter(child -> child.pid() == pid(node)).findFirst();
    }

    List<ChildJvm> living() {
        return List.copyOf(living);
    }

    /** Whether it was ever stopped, and may have done things that it would not have done had it known the time. */
    boolean wasStopped(String node) {
        return stopped.contains(pid(node));
    }

    boolean wasKilled(String node) {
        return find(node).isEmpty();
    }

    /** Whether it lost its lease, or was about to, when nobody did anything to it any more. */
    boolean hasLapsedInQuiet(String node) {
        return find(node).stream().flatMap(child -> child.lines().stream())
                .dropWhile(line -> !line.equals(FaultNode.QUIET))
                .anyMatch(line -> line.contains(" stops its ") || line.contains("was declared dead"));
    }

    /** Everything that all of them have printed. */
    Stream<String> lines() {
        return all.stream().flatMap(child -> child.lines().stream());
    }

    /** Names end with the number of the process and a number of their own; with a dot, where they came back. */
    private static long pid(String node) {
        String[] words = firstName(node).split("-", -1);
        return Long.parseLong(words[words.length - 2]);
    }

    /** What a node was called before it had to come back. */
    static String firstName(String node) {
        return node.replaceFirst("[.].*", "");
    }

    /** Tells all of them, and waits until all have done it. */
    void tell(String word) {
        living.forEach(child -> child.tell(word));
        living.forEach(child -> child.awaitLine(word::equals));
    }

    /** Lets them close their pools. */
    void dismiss() {
        living.forEach(child -> child.tell(FaultNode.CLOSE));
        for (ChildJvm child : living) {
            assertThat(child.exitCode(Duration.ofSeconds(60))).as("%s", child.lines()).isZero();
        }
    }

    /** What they printed is left beside the log. */
    @Override
    public void close() throws IOException {
        all.forEach(ChildJvm::kill);
        for (ChildJvm child : all) {
            Files.write(log.resolveSibling("node-" + child.pid()), child.lines());
        }
    }
}
