package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;

/**
 * A second JVM works on orders of three steps and is killed in the middle; this one opens the same store and
 * finishes. What counts: a step that the store had as done at the moment of the kill has run once, by the log.
 */
final class CrashScene implements Scene {

    private static final int ORDERS = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Crew crew;

    CrashScene(Crew crew) {
        this.crew = crew;
    }

    @Override
    public String title() {
        return "A crash: kill -9 in the middle, and what is done is not done again";
    }

    @Override
    public List<Check> play(Stage stage) throws Exception {
        StepLog log = new StepLog(stage.directory());
        submit(stage);
        int exit = workAndKill(stage, log);
        int begun = log.lines().size();
        Set<String> done;
        List<Job> left;
        try (Store store = stage.store()) {
            done = stepsDone(store);
            left = orders(store).stream().filter(job -> !job.state().isFinal()).toList();
        }
        stage.say("the store has " + done.size() + " steps as done and " + left.size()
                + " orders as unfinished; "
                + (begun - done.size()) + " steps were under way");
        long completed = finish(stage, log);

        Map<String, Long> runs = log.runs();
        long twice = done.stream().filter(step -> runs.getOrDefault(step, 0L) > 1).count();
        stage.say("finished here: " + completed + " orders are complete, " + (log.lines().size() - begun)
                + " steps ran after the crash");
        return List.of(new Check("exit code after kill -9", "137", String.valueOf(exit)),
                new Check("killed in the middle", "yes", left.isEmpty() || done.isEmpty() ? "no" : "yes"),
                new Check("orders completed after the crash", ORDERS + " of " + ORDERS,
                        completed + " of " + ORDERS),
                new Check("steps that ran at all", steps() + " of " + steps(),
                        runs.size() + " of " + steps()),
                new Check("completed steps that ran twice", "0", String.valueOf(twice)));
    }

    private static int steps() {
        return ORDERS * Order.STEPS.size();
    }

    private static void submit(Stage stage) {
        OrderHandler handler = new OrderHandler(new StepLog(stage.directory()), OrderHandler.NEVER_HANG);
        try (Pool pool = Pool.on(stage.store()).handle(Order.TYPE, handler).open()) {
            pool.pauseQueue(Order.QUEUE);
            for (int number = 1; number <= ORDERS; number++) {
                String name = "order " + number;
                pool.submit(Order.TYPE.with(new Order(name)).subject(name).queue(Order.QUEUE));
            }
        }
        stage.say("submitted " + ORDERS + " orders of " + Order.STEPS.size() + " steps each: "
                + String.join(", ", Order.STEPS));
    }

    private int workAndKill(Stage stage, StepLog log) throws Exception {
        Process child = stage.own(crew.start(stage.directory()));
        stage.say("a second JVM (process " + child.pid() + ") opens the store and works");
        // One worker hangs at that step, and each other one at a step after it.
        awaitSteps(Crew.HANG_FROM + Crew.WORKERS - 1, log, child, stage);
        stage.say(log.lines().size() + " steps have begun; kill -9 " + child.pid());
        child.destroyForcibly();
        return child.waitFor();
    }

    private static void awaitSteps(int count, StepLog log, Process child, Stage stage) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (log.lines().size() < count) {
            if (child.waitFor(10, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the second JVM ended by itself, with exit code "
                        + child.exitValue() + ": " + said(stage));
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the second JVM began " + log.lines().size() + " of " + count
                        + " steps within " + PATIENCE.toSeconds() + " s: " + said(stage));
            }
        }
    }

    private static String said(Stage stage) throws IOException {
        var output = stage.directory().resolve("crew.out");
        return Files.exists(output) ? Files.readString(output).strip() : "";
    }

    private static Set<String> stepsDone(Store store) {
        Set<String> done = new TreeSet<>();
        for (Job job : orders(store)) {
            String order = job.spec().subject().orElseThrow();
            // A completed job has no use for the results of its steps, so the store has dropped them.
            Collection<String> steps = job.state() == JobState.COMPLETED ? Order.STEPS
                    : store.story(job.id()).orElseThrow().saved().steps().keySet();
            steps.forEach(step -> done.add(StepLog.name(order, step)));
        }
        return done;
    }

    private static List<Job> orders(Store store) {
        return store.list(JobQuery.all().type(Order.TYPE.name()));
    }

    private static long finish(Stage stage, StepLog log) throws InterruptedException {
        OrderHandler handler = new OrderHandler(log, OrderHandler.NEVER_HANG);
        try (Pool pool = Pool.on(stage.store()).workers(Crew.WORKERS).handle(Order.TYPE, handler).open()) {
            stage.say("this JVM opens the same store and goes on");
            pool.awaitIdle(PATIENCE);
            return pool.list(JobQuery.all().type(Order.TYPE.name()).states(JobState.COMPLETED)).size();
        }
    }
}
