package dev.heddle.simulation;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.env.Environment;
import dev.heddle.job.JobException;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerState;
import dev.heddle.worker.Workforce;
import dev.heddle.worker.WorkforceListener;
import org.jspecify.annotations.Nullable;

/**
 * Workers with processes of their own, as far as a pool can tell: they take time to start, exit at any moment, answer
 * late or not at all, and are replaced.
 */
final class SimulatedWorkforce implements Workforce {

    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);

    private final String group;
    private final Environment env;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Worker, ExternalProcess> processes = new LinkedHashMap<>();
    private @Nullable WorkforceListener pool;
    private String prefix = "";
    private int created;
    private int target;

    /** The process of a worker. */
    private static final class ExternalProcess {
        /** The answer to the job that it runs; null if it runs none. */
        @Nullable CompletableFuture<String> answer;
    }

    SimulatedWorkforce(String group, Environment env) {
        this.group = group;
        this.env = env;
    }

    @Override
    public void open(WorkforceListener listener, String idPrefix, int count) {
        pool = listener;
        prefix = idPrefix;
        resize(count);
    }

    @Override
    public void resize(int count) {
        lock.lock();
        try {
            target = count;
        } finally {
            lock.unlock();
        }
        startMissing();
        endSurplus();
    }

    private List<Worker> all() {
        lock.lock();
        try {
            return List.copyOf(processes.keySet());
        } finally {
            lock.unlock();
        }
    }

    private void startMissing() {
        while (true) {
            Worker worker;
            lock.lock();
            try {
                if (processes.size() >= target) {
                    return;
                }
                worker = new Worker(prefix + ++created, group, env.clock(), Map::of, _ -> {});
                processes.put(worker, new ExternalProcess());
            } finally {
                lock.unlock();
            }
            changed(worker);
            env.start("external-worker", () -> live(worker));
        }
    }

    /** Starts up, and exits at some time for no reason. */
    private void live(Worker worker) {
        pause(Duration.ofMillis(env.random().nextInt(2_000)));
        if (worker.lifecycle().transitionFrom(Set.of(WorkerState.INITIALIZING), WorkerState.READY,
                TransitionReason.INIT_COMPLETE, Map.of())) {
            changed(worker);
            pause(Duration.ofSeconds(5 + env.random().nextInt(120)));
            exit(worker, TransitionReason.PROCESS_EXIT);
        }
    }

    private void pause(Duration time) {
        try {
            env.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void changed(Worker worker) {
        WorkforceListener listener = pool;
        if (listener != null) {
            listener.workerChanged(worker);
        }
    }

    /** Ends a process and what it runs; another takes its place. */
    private void exit(Worker worker, TransitionReason reason) {
        ExternalProcess process;
        lock.lock();
        try {
            process = processes.remove(worker);
        } finally {
            lock.unlock();
        }
        if (process == null) {
            return;
        }
        worker.terminate(reason);
        changed(worker);
        CompletableFuture<String> answer = process.answer;
        if (answer != null) {
            answer.completeExceptionally(JobException.transientFailure("WorkerLost: " + worker.id() + " exited"));
        }
        env.start("external-restart", () -> {
            pause(RESTART_DELAY);
            startMissing();
        });
    }

    /**
     * Gives a job to a worker.
     *
     * @param time how long the worker takes; null if it never answers
     * @param exits whether it exits instead of answering
     */
    CompletableFuture<String> execute(String id, @Nullable Duration time, boolean exits) {
        Worker worker = all().stream().filter(each -> each.id().equals(id)).findFirst().orElse(null);
        lock.lock();
        try {
            ExternalProcess process = worker == null ? null : processes.get(worker);
            if (process == null || worker == null) {
                return CompletableFuture
                        .failedFuture(JobException.transientFailure("WorkerLost: " + id + " is gone"));
            }
            CompletableFuture<String> answer = new CompletableFuture<>();
            process.answer = answer;
            if (time != null) {
                env.start("external-job", () -> {
                    pause(time);
                    if (exits) {
                        exit(worker, TransitionReason.PROCESS_EXIT);
                    } else {
                        answer.complete("ok");
                        answer.complete("again");
                    }
                });
            }
            return answer;
        } finally {
            lock.unlock();
        }
    }

    private void endSurplus() {
        for (Worker worker : all()) {
            boolean surplus;
            lock.lock();
            try {
                surplus = processes.size() > target;
            } finally {
                lock.unlock();
            }
            if (surplus && worker.lifecycle().state() != WorkerState.BUSY) {
                exit(worker, TransitionReason.SHUTDOWN);
            }
        }
    }

    @Override
    public Worker addWorker() {
        throw new UnsupportedOperationException("the simulation adds no workers");
    }

    @Override
    public void removeWorker(Worker worker) {
        throw new UnsupportedOperationException("the simulation removes no workers");
    }

    @Override
    public void jobEnded(Worker worker) {
        endSurplus();
    }

    @Override
    public void abandon(Worker worker) {
        exit(worker, TransitionReason.TIMEOUT);
    }

    @Override
    public void close() {
        resize(0);
    }
}
