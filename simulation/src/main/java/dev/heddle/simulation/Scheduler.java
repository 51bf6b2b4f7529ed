package dev.heddle.simulation;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Runs virtual threads one at a time, in an order that a seed decides, and moves time only when none of them can run.
 * A thread runs until it blocks, so nothing happens at the same time, and the same seed gives the same run.
 *
 * <p>This holds as long as threads wait by {@link java.util.concurrent} locks and futures without a time limit, and
 * for times by {@link SimulatedEnvironment}.
 */
final class Scheduler {

    /** Threads of the simulation inherit nothing from the thread that creates them. */
    private static final int NO_INHERITED_LOCALS = 1 << 2;
    private static final int RECENT = 100;
    private static final MethodHandle NEW_THREAD = newThread();

    private final Random random;
    private final List<Ready> ready = new ArrayList<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long now;
    private long timersMade;
    private long steps;
    private long fingerprint = 1;
    private final Deque<String> recent = new ArrayDeque<>();

    private record Ready(Threads process, String thread, Runnable continuation) {}

    /** A thread that waits for the end of another. */
    private record Joiner(Thread joined, Thread waiting) {}

    /** Something that happens at a time. */
    static final class Timer implements Comparable<Timer> {
        private final long at;
        private final long number;
        private final Runnable action;
        private boolean cancelled;

        private Timer(long at, long number, Runnable action) {
            this.at = at;
            this.number = number;
            this.action = action;
        }

        void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** Threads that stop and die together, like those of an operating system's process. */
    final class Threads {
        private final String name;
        private final List<Ready> held = new ArrayList<>();
        private final List<Joiner> joiners = new ArrayList<>();
        private boolean dead;
        private boolean stopped;

        private Threads(String name) {
            this.name = name;
        }

        private void add(Ready next) {
            if (stopped) {
                held.add(next);
            } else if (!dead) {
                ready.add(next);
            }
        }

        /** Creates a thread, which is not started. */
        Thread newThread(String thread, Runnable task) {
            Executor executor = continuation -> add(new Ready(this, thread, continuation));
            try {
                return (Thread) NEW_THREAD.invokeExact(executor, thread, NO_INHERITED_LOCALS, notifying(task));
            } catch (Throwable e) {
                throw new IllegalStateException("cannot create a thread of the simulation", e);
            }
        }

        /** Wakes who waits for the end of the thread. They run after it has ended, because it does not block any more. */
        private Runnable notifying(Runnable task) {
            return () -> {
                try {
                    task.run();
                } finally {
                    Thread ended = Thread.currentThread();
                    joiners.stream().filter(each -> each.joined.equals(ended)).map(Joiner::waiting)
                            .forEach(LockSupport::unpark);
                }
            };
        }

        /** Waits for the end of a thread of this process, until a time at most; returns whether it has ended. */
        boolean join(Thread thread, long until) throws InterruptedException {
            Joiner joiner = new Joiner(thread, Thread.currentThread());
            joiners.add(joiner);
            try {
                while (thread.isAlive() && now < until) {
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    park(until - now);
                }
                return !thread.isAlive();
            } finally {
                joiners.remove(joiner);
            }
        }

        /** Its threads never run again, wherever they are. */
        void kill() {
            dead = true;
            stopped = false;
            held.clear();
        }

        /** Its threads do not run until {@link #resume}, like after SIGSTOP. */
        void stop() {
            stopped = !dead;
        }

        void resume() {
            if (stopped) {
                stopped = false;
                List.copyOf(held).forEach(this::add);
                held.clear();
            }
        }

        private boolean isRunning() {
            return !dead && !stopped;
        }

        boolean isDead() {
            return dead;
        }

        String name() {
            return name;
        }
    }

    Scheduler(long seed) {
        this.random = new Random(seed);
    }

    private static MethodHandle newThread() {
        try {
            Method method = Class.forName("java.lang.ThreadBuilders").getDeclaredMethod("newVirtualThread",
                    Executor.class, String.class, int.class, Runnable.class);
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "the simulation needs JDK 25 and --add-opens java.base/java.lang=ALL-UNNAMED", e);
        }
    }

    Threads newProcess(String name) {
        return new Threads(name);
    }

    /** Returns the time that has passed since the start, in nanoseconds. */
    long now() {
        return now;
    }

    Timer at(long time, Runnable action) {
        Timer timer = new Timer(Math.max(time, now), ++timersMade, action);
        timers.add(timer);
        return timer;
    }

    /** Parks the calling thread, until it is unparked or for this long. */
    void park(long nanos) {
        Thread thread = Thread.currentThread();
        Timer timer = at(now + nanos, () -> LockSupport.unpark(thread));
        LockSupport.park();
        timer.cancel();
    }

    /**
     * Lets time pass for the calling thread, which nothing wakes meanwhile. If nothing else can happen until then, it
     * goes on at once, which is what it would do anyway.
     */
    void pass(long nanos, Threads process) {
        long until = now + nanos;
        if (ready.isEmpty() && process.isRunning() && isBeforeNextTimer(until)) {
            steps++;
            now = until;
            mix(now);
        } else {
            park(nanos);
        }
    }

    private boolean isBeforeNextTimer(long time) {
        Timer next = timers.peek();
        while (next != null && next.cancelled) {
            timers.remove();
            next = timers.peek();
        }
        return next == null || time < next.at;
    }

    /**
     * Runs until a condition holds, which is checked after every step.
     *
     * @return false if the steps are used up first, or nothing can happen any more
     */
    boolean runUntil(BooleanSupplier condition, long mostSteps) {
        long last = steps + mostSteps;
        while (!condition.getAsBoolean()) {
            if (steps >= last || !step()) {
                return false;
            }
        }
        return true;
    }

    private boolean step() {
        steps++;
        if (!ready.isEmpty()) {
            int chosen = random.nextInt(ready.size());
            Ready next = ready.get(chosen);
            Ready last = ready.removeLast();
            if (chosen < ready.size()) {
                ready.set(chosen, last);
            }
            mix(chosen);
            mix(next.process.name.hashCode() * 31L + next.thread.hashCode());
            recent.add(next.process.name + "/" + next.thread);
            if (recent.size() > RECENT) {
                recent.remove();
            }
            if (!next.process.dead) {
                if (next.process.stopped) {
                    next.process.held.add(next);
                } else {
                    next.continuation.run();
                }
            }
            return true;
        }
        Timer timer = timers.poll();
        while (timer != null && timer.cancelled) {
            timer = timers.poll();
        }
        if (timer == null) {
            return false;
        }
        now = Math.max(now, timer.at);
        mix(now);
        timer.action.run();
        return true;
    }

    /** Adds to the fingerprint of the run. */
    void mix(long value) {
        fingerprint = (fingerprint ^ value) * 0x9E37_79B9_7F4A_7C15L;
        fingerprint ^= fingerprint >>> 29;
    }

    /** Returns a number that tells runs apart: it depends on the order of all steps. */
    long fingerprint() {
        return fingerprint;
    }

    /** Returns the threads that ran last, to see which of them do not come to rest. */
    List<String> recent() {
        return recent.stream().distinct().toList();
    }

    long steps() {
        return steps;
    }
}
