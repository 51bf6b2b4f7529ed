package dev.heddle.cli.types;

import java.util.List;

import dev.heddle.job.JobType;
import dev.heddle.pool.PoolBuilder;
import tools.jackson.databind.JsonNode;

/** {@code echo}, {@code sleep} and {@code fail}. */
public final class BuiltInTypes {

    private static final JobType<JsonNode, JsonNode> ECHO = JobType.of("echo", JsonNode.class,
            JsonNode.class);
    private static final JobType<Sleep.Nap, Sleep.Rest> SLEEP = JobType.of("sleep", Sleep.Nap.class,
            Sleep.Rest.class);
    private static final JobType<Fail.Wish, String> FAIL = JobType.of("fail", Fail.Wish.class, String.class);

    /** Command lines that come with the job; {@code heddle run} submits them. */
    public static final String RUN = "run";

    /** Batches; {@code heddle batch run} submits them. */
    public static final String BATCH = "batch";

    private BuiltInTypes() {}

    public static List<String> names() {
        return List.of(ECHO.name(), SLEEP.name(), FAIL.name());
    }

    /** Lets the pool run them. */
    public static PoolBuilder addTo(PoolBuilder pool) {
        return pool.handle(ECHO, (payload, job) -> payload).handle(SLEEP, new Sleep()).handle(FAIL,
                new Fail());
    }
}
