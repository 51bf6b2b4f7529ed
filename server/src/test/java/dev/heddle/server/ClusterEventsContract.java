package dev.heddle.server;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.event.EventStore;
import dev.heddle.server.SseReader.Event;
import dev.heddle.store.Store;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Follows the events of several nodes on any of them. */
abstract class ClusterEventsContract {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<ServerFixture> nodes = new ArrayList<>();

    /** Opens the store for one more node. */
    abstract Store connect();

    private ServerFixture node() {
        ServerFixture node = ServerFixture.open(connect(), settings -> settings);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void close() {
        nodes.reversed().forEach(ServerFixture::close);
    }

    private static EventStore store(ServerFixture node) {
        return node.pool.admin().capability(EventStore.class).orElseThrow();
    }

    /** Commands are events of the node that executes them, and need no worker. */
    private static void command(ServerFixture node, String queue) {
        node.pool.admin().pauseQueue(queue);
    }

    private static Event event(SseReader reader) {
        return Objects.requireNonNull(reader.next(), "the connection has ended");
    }

    private static String queue(Event event) {
        return ControlJson.tree(event.data()).path("queue").asString();
    }

    private static List<String> queues(SseReader reader, int events) {
        List<String> queues = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            queues.add(queue(event(reader)));
        }
        return queues;
    }

    /** Follows the events of a node, and waits until all nodes publish theirs. */
    private SseReader follow(ServerFixture node) throws IOException {
        SseReader reader = new SseReader(node.server, null);
        assertThat(event(reader).kind()).isEqualTo("open");
        Awaitility.await().atMost(LONG).until(() -> store(node).positions().keySet()
                .containsAll(nodes.stream().map(one -> one.pool.admin().events().id()).toList()));
        return reader;
    }

    @Test
    void showsTheEventsOfAllNodesOnEachOfThem() throws Exception {
        ServerFixture first = node();
        ServerFixture second = node();
        try (SseReader here = follow(first); SseReader there = follow(second)) {
            command(first, "one");
            command(second, "two");
            assertThat(queues(here, 2)).containsExactlyInAnyOrder("one", "two");
            assertThat(queues(there, 2)).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void saysOnWhichNodeAJobRan() throws Exception {
        ServerFixture first = node();
        ServerFixture second = node();
        try (SseReader reader = follow(first)) {
            Set<String> ran = new HashSet<>();
            Set<String> told = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                ran.add((i % 2 == 0 ? first : second).pool.submit(TestPool.ECHO, ControlJson.tree("1")).id()
                        .toString());
            }
            while (!told.containsAll(ran)) {
                Event event = event(reader);
                assertThat(event.kind()).isNotEqualTo("reset");
                if (event.kind().equals("ended")) {
                    assertThat(told.add(ControlJson.tree(event.data()).path("job").asString())).isTrue();
                }
            }
        }
    }

    @Test
    void nothingIsWrittenWhileNobodyReads() {
        ServerFixture first = node();
        ServerFixture second = node();
        command(first, "one");
        command(second, "two");
        assertThat(store(first).subscribed()).isZero();
        assertThat(store(first).positions()).isEmpty();
    }

    @Test
    void aReaderResumesOnAnotherNodeWithoutLossOrDoubles() throws Exception {
        ServerFixture first = node();
        ServerFixture second = node();
        List<String> sent = new ArrayList<>();
        List<String> got = new ArrayList<>();
        String last = "";
        SseReader reader = follow(first);
        try {
            for (int round = 0; round < 6; round++) {
                for (int i = 0; i < 20; i++) {
                    sent.add("q" + sent.size());
                    command(sent.size() % 3 == 0 ? first : second, sent.getLast());
                }
                for (int i = 0; i < 10; i++) {
                    Event event = event(reader);
                    got.add(queue(event));
                    last = event.id();
                }
                reader.close();
                reader = new SseReader((round % 2 == 0 ? second : first).server, last);
                assertThat(event(reader).kind()).isEqualTo("open");
            }
            while (got.size() < sent.size()) {
                got.add(queue(event(reader)));
            }
            assertThat(got).containsExactlyInAnyOrderElementsOf(sent);
            command(first, "end");
            assertThat(queue(event(reader))).isEqualTo("end");
        } finally {
            reader.close();
        }
    }

    @Test
    void aReaderMissesNothingOfANodeThatDied() throws Exception {
        ServerFixture first = node();
        ServerFixture second = node();
        String last;
        try (SseReader reader = follow(first)) {
            command(second, "before");
            Event before = event(reader);
            assertThat(queue(before)).isEqualTo("before");
            last = before.id();
        }
        command(first, "late");
        nodes.remove(first);
        // Publishes what is pending.
        first.close();
        try (SseReader reader = new SseReader(second.server, last)) {
            assertThat(event(reader).kind()).isEqualTo("open");
            assertThat(queue(event(reader))).isEqualTo("late");
            ServerFixture third = node();
            Awaitility.await().atMost(LONG)
                    .until(() -> store(second).positions().containsKey(third.pool.admin().events().id()));
            command(third, "new");
            assertThat(queue(event(reader))).isEqualTo("new");
        }
    }

    @Test
    void resetsAReaderIfTheStoreHasLostEvents() throws Exception {
        ServerFixture first = node();
        ServerFixture second = node();
        String last;
        try (SseReader reader = follow(first)) {
            command(second, "one");
            last = event(reader).id();
        }
        for (String unknown : List.of(last + "~gone-1", "gone-1", last.replaceAll("-[0-9]+", "-999"), "nonsense")) {
            try (SseReader reader = new SseReader(second.server, unknown)) {
                assertThat(event(reader).kind()).as(unknown).isEqualTo("reset");
                String later = "after " + unknown;
                command(first, later);
                assertThat(queue(event(reader))).isEqualTo(later);
            }
        }
    }

    @Test
    void filtersEventsOnTheServer() throws Exception {
        ServerFixture first = node();
        ServerFixture second = node();
        String id = second.pool.admin().nodeId();
        follow(first).close();
        try (SseReader reader = new SseReader(first.server, null, "?kind=pause-queue&queue=one,two&node=" + id)) {
            assertThat(event(reader).kind()).isEqualTo("open");
            command(first, "one");
            second.pool.admin().resumeQueue("one");
            command(second, "three");
            command(second, "two");
            assertThat(queue(event(reader))).isEqualTo("two");
        }
        assertThat(first.get("/api/v1/events?sate=FAILED").body()).contains("unknown query parameter 'sate'");
        assertThat(first.get("/api/v1/events?state=FALED").body()).contains("unknown state");
    }
}
