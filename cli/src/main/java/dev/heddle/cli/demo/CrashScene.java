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
 * A second JVM runs orders of three steps and is killed in the middle. This JVM opens the same store and finishes them.
 * The check: no step that was stored as completed at the time of the kill runs again.
 */
final class CrashScene implements Scene {

    private static final int ORDERS = 6;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final DemoWorker worker;

    CrashScene(DemoWorker worker) {
        this.worker = worker;
    }

    @Override
    public String title() {
        return "Crash: kill -9 in the middle, and completed steps do not run again";
    }

    @Override
    public List<Check> play(Stage stage) throws Exception {
        StepLog log = new StepLog(stage.directory());
        submit(stage);
        int exit = workAndKill(stage, log);
        int started = log.lines().size();
        Set<String> done;
        List<Job> left;
        try (Store store = stage.store()) {
            done = stepsDone(store);
            left = orders(store).stream().filter(job -> !job.state().isFinal()).toList();
        }
        stage.say("the store has " + done.size() + " completed steps and " + left.size() + " unfinished orders; "
                + (started - done.size()) + " steps were running");
        long completed = finish(stage, log);

        Map<String, Long> runs = log.runs();
        long twice = done.stream().filter(step -> runs.getOrDefault(step, 0L) > 1).count();
        stage.say("finished: " + completed + " orders completed, " + (log.lines().size() - started)
                + " steps ran after the crash");
        return List.of(new Check("exit code after kill -9", "137", String.valueOf(exit)),
                new Check("killed with work left", "yes", left.isEmpty() || done.isEmpty() ? "no" : "yes"),
                new Check("orders completed after the crash", ORDERS + " of " + ORDERS, completed + " of " + ORDERS),
                new Check("steps that ran", steps() + " of " + steps(), runs.size() + " of " + steps()),
                new Check("completed steps that ran twice", "0", String.valueOf(twice)));
    }

    private static int steps() {
        return ORDERS * Order.STEPS.size();
    }

    private static void submit(Stage stage) {
        OrderHandler handler = new OrderHandler(new StepLog(stage.directory()), OrderHandler.NEVER_HANG);
        try (Pool pool = Pool.on(stage.store()).register(Order.TYPE, handler).open()) {
            pool.admin().pauseQueue(Order.QUEUE);
            for (int number = 1; number <= ORDERS; number++) {
                String name = "order " + number;
                pool.submit(Order.TYPE.with(new Order(name)).subject(name).queue(Order.QUEUE));
            }
        }
        stage.say("submitted " + ORDERS + " orders with " + Order.STEPS.size() + " steps each: "
                + String.join(", ", Order.STEPS));
    }

    private int workAndKill(Stage stage, StepLog log) throws Exception {
        Process child = stage.own(worker.start(stage.directory()));
        stage.say("a second JVM (process " + child.pid() + ") opens the store and starts working");
        // Wait until every worker hangs: one at that step, each other one at a later step.
        awaitSteps(DemoWorker.HANG_FROM + DemoWorker.WORKERS - 1, log, child, stage);
        stage.say(log.lines().size() + " steps have started; kill -9 " + child.pid());
        child.destroyForcibly();
        return child.waitFor();
    }

    private static void awaitSteps(int count, StepLog log, Process child, Stage stage) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (log.lines().size() < count) {
            if (child.waitFor(10, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        "the second JVM exited with code " + child.exitValue() + ": " + outputOf(stage));
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the second JVM started " + log.lines().size() + " of " + count
                        + " steps within " + TIMEOUT.toSeconds() + " s: " + outputOf(stage));
            }
        }
    }

    private static String outputOf(Stage stage) throws IOException {
        var output = stage.directory().resolve("worker.out");
        return Files.exists(output) ? Files.readString(output).strip() : "";
    }

    private static Set<String> stepsDone(Store store) {
        Set<String> done = new TreeSet<>();
        for (Job job : orders(store)) {
            String order = job.spec().subject().orElseThrow();
            // The store drops the step results of completed jobs.
            Collection<String> steps = job.state() == JobState.COMPLETED ? Order.STEPS
                    : store.details(job.id()).orElseThrow().saved().steps().keySet();
            steps.forEach(step -> done.add(StepLog.name(order, step)));
        }
        return done;
    }

    private static List<Job> orders(Store store) {
        return store.list(JobQuery.all().type(Order.TYPE.name()));
    }

    private static long finish(Stage stage, StepLog log) throws InterruptedException {
        OrderHandler handler = new OrderHandler(log, OrderHandler.NEVER_HANG);
        try (Pool pool = Pool.on(stage.store()).workers(DemoWorker.WORKERS).register(Order.TYPE, handler).open()) {
            stage.say("this JVM opens the same store and continues");
            pool.awaitIdle(TIMEOUT);
            return pool.admin().list(JobQuery.all().type(Order.TYPE.name()).states(JobState.COMPLETED)).size();
        }
    }
}
