package dev.heddle.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/** A machine, on which one node after the other runs. Its time of day and its processes go on without them. */
final class SimulatedMachine implements DetachedRuns {

    private final World world;
    private final String name;
    private final Map<Key, Run> runs = new HashMap<>();
    private Duration skew;

    private record Key(JobId job, int attempt) {}

    /** Work that goes on, or that must never begin. */
    private static final class Run {
        /** When it is done; negative if it must never begin, or was killed. */
        private long endsAt = -1;
        /** Null if no node looks after it. */
        private @Nullable Host host;
    }

    /**
     * Creates a machine.
     *
     * @param skew by how much its time of day is ahead
     */
    SimulatedMachine(World world, String name, Duration skew) {
        this.world = world;
        this.name = name;
        this.skew = skew;
    }

    String name() {
        return name;
    }

    Duration skew() {
        return skew;
    }

    /** Sets the time of day. */
    void setClock(Duration ahead) {
        skew = ahead;
    }

    @Override
    public String machine() {
        return name;
    }

    @Override
    public String boot() {
        return "boot of " + name;
    }

    @Override
    public Status status(JobId job, int attempt) {
        Run run = runs.computeIfAbsent(new Key(job, attempt), _ -> new Run());
        if (run.host != null && world.diedAt(run.host.name()) == Long.MAX_VALUE) {
            return Status.UNKNOWN;
        }
        return run.endsAt < 0 ? Status.GONE : Status.ADOPTABLE;
    }

    @Override
    public boolean resume(JobId job, int attempt, Host host) {
        Run known = runs.get(new Key(job, attempt));
        if (known == null || known.endsAt < 0) {
            return false;
        }
        known.host = host;
        return true;
    }

    @Override
    public void begin(JobId job, int attempt, Duration time, Host host) {
        Run run = new Run();
        run.host = host;
        run.endsAt = world.now() + time.toNanos();
        if (runs.putIfAbsent(new Key(job, attempt), run) != null) {
            throw new IllegalStateException("this work was said to be gone");
        }
    }

    private Run run(JobId job, int attempt) {
        return Objects.requireNonNull(runs.get(new Key(job, attempt)), "run");
    }

    @Override
    public Duration left(JobId job, int attempt) {
        return Duration.ofNanos(Math.max(0, run(job, attempt).endsAt - world.now()));
    }

    @Override
    public void leave(JobId job, int attempt) {
        run(job, attempt).host = null;
    }

    @Override
    public void kill(JobId job, int attempt) {
        run(job, attempt).endsAt = -1;
    }
}
