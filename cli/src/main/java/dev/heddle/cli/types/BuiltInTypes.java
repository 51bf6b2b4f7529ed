package dev.heddle.cli.types;

import java.util.List;

import dev.heddle.job.JobType;
import dev.heddle.pool.PoolBuilder;
import tools.jackson.databind.JsonNode;

/** The job types that every node runs: {@code echo}, {@code sleep} and {@code fail}. */
public final class BuiltInTypes {

    private static final JobType<JsonNode, JsonNode> ECHO = JobType.of("echo", JsonNode.class, JsonNode.class);
    private static final JobType<SleepHandler.Payload, SleepHandler.Result> SLEEP = JobType.of("sleep",
            SleepHandler.Payload.class, SleepHandler.Result.class);
    private static final JobType<FailHandler.Payload, String> FAIL = JobType.of("fail", FailHandler.Payload.class,
            String.class);

    private BuiltInTypes() {}

    /** Returns the names of the types that {@link #addTo} registers. */
    public static List<String> names() {
        return List.of(ECHO.name(), SLEEP.name(), FAIL.name());
    }

    /** Registers the types with a pool. */
    public static PoolBuilder addTo(PoolBuilder pool) {
        return pool.register(ECHO, (payload, job) -> payload).register(SLEEP, new SleepHandler()).register(FAIL,
                new FailHandler());
    }
}
