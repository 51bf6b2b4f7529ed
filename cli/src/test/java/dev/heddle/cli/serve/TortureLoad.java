package dev.heddle.cli.serve;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.cli.Cli.Answer;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.SubmitResult;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Submits every kind of work to whichever nodes run, and remembers what they acknowledged. */
final class TortureLoad {

    private static final int THREADS = 2;
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int UNITS_OF_A_BATCH = 5;
    private static final Set<ControlException.Kind> EXPECTED = Set.of(ControlException.Kind.UNREACHABLE,
            ControlException.Kind.CONFLICT, ControlException.Kind.FULL);

    /** What a job is, which decides how it may end. */
    enum Kind {
        ECHO, DELAYED, STEPS, ONCE, FLAKY, COMMAND, EXTERNAL, SESSION, BATCH
    }

    private record Node(TortureSite site, Control control) {}

    private final Map<String, Kind> acknowledged = new ConcurrentHashMap<>();
    private final List<Node> nodes = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger batches = new AtomicInteger();
    private volatile boolean open = true;
    private volatile @Nullable Throwable problem;

    TortureLoad(Random random) {
        for (int thread = 0; thread < THREADS; thread++) {
            long seed = random.nextLong();
            start(() -> submitJobs(new Random(seed)));
        }
        long seed = random.nextLong();
        start(() -> submitBatches(new Random(seed)));
    }

    private void start(Runnable work) {
        threads.add(Thread.ofPlatform().daemon().name("torture-load").start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                problem = e;
            }
        }));
    }

    /** Submits to this node too, until {@link #leave}. */
    Control join(TortureSite site, ServedNode node) {
        Control control = site.control(node);
        nodes.add(new Node(site, control));
        return control;
    }

    /** Submits to this node no more. */
    void leave(Control control) {
        nodes.removeIf(node -> node.control().equals(control));
    }

    private void submitJobs(Random random) {
        while (open) {
            Node node = any(random);
            if (node != null) {
                submit(node.control(), drafts(random));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private @Nullable Node any(Random random) {
        List<Node> running = List.copyOf(nodes);
        return running.isEmpty() ? null : running.get(random.nextInt(running.size()));
    }

    private record Draft(Kind kind, JobDraft job) {}

    private static List<Draft> drafts(Random random) {
        List<Draft> drafts = new ArrayList<>(List.of(draft(Kind.ECHO, "echo", "{}"), draft(Kind.ECHO, "echo", "{}"),
                draft(Kind.STEPS, "steps", "{}"), draft(Kind.ONCE, "once", "{}"), draft(Kind.FLAKY, "flaky", "{}"),
                new Draft(Kind.DELAYED, JobDraft.of("echo", json("{}")).delay(Duration.ofMillis(200)))));
        if (random.nextInt(4) == 0) {
            String texts = "{\"texts\": [\"warp\", \"weft\"]}";
            drafts.add(draft(Kind.COMMAND, "command", "{}"));
            drafts.add(draft(Kind.EXTERNAL, "embed", texts));
            drafts.add(new Draft(Kind.SESSION, JobDraft.of("embed", json(texts)).session("s" + random.nextInt(5))));
        }
        return drafts;
    }

    private static Draft draft(Kind kind, String type, String payload) {
        return new Draft(kind, JobDraft.of(type, json(payload)));
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private void submit(Control control, List<Draft> drafts) {
        try {
            SubmitResult result = control.submit(drafts.stream().map(Draft::job).toList());
            for (int i = 0; i < drafts.size(); i++) {
                acknowledged.put(result.jobs().get(i).id(), drafts.get(i).kind());
            }
        } catch (ControlException e) {
            if (!EXPECTED.contains(e.kind())) {
                throw e;
            }
            refused.incrementAndGet();
        }
    }

    /** Repeats each batch until it is acknowledged, as a script would. */
    private void submitBatches(Random random) {
        while (open) {
            LockSupport.parkNanos(Duration.ofMillis(500 + random.nextInt(3_000)).toNanos());
            int number = batches.incrementAndGet();
            Node node = null;
            for (boolean done = false; open && !done;) {
                // The units are in the home of one node.
                node = node == null ? any(random) : node;
                done = node != null && submitBatch(node.site(), number);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private boolean submitBatch(TortureSite site, int number) {
        Answer answer;
        try {
            answer = site.call("batch", "run", site.batch(number, UNITS_OF_A_BATCH).toString(), "--detach");
        } catch (IOException e) { // the disk is full
            return false;
        }
        if (answer.exit() == 0 && !answer.out().isBlank()) {
            acknowledged.put(answer.out().strip(), Kind.BATCH);
        }
        return answer.exit() == 0;
    }

    /** Returns the acknowledged jobs. */
    Map<String, Kind> acknowledged() {
        return Map.copyOf(acknowledged);
    }

    int count() {
        return acknowledged.size();
    }

    /** Returns how many jobs of each kind were acknowledged, and how many requests were not. */
    String summary() {
        Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
        acknowledged.values().forEach(kind -> counts.merge(kind, 1, Integer::sum));
        return acknowledged.size() + " acknowledged " + counts + ", " + refused + " requests not acknowledged";
    }

    /** Stops submitting. Fails if a request failed in a way that no fault explains. */
    void stop() throws InterruptedException {
        open = false;
        for (Thread thread : threads) {
            thread.join();
        }
        if (problem != null) {
            throw new AssertionError("the load failed", problem);
        }
    }
}
