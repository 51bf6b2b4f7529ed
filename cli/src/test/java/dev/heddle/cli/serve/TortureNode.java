package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import tools.jackson.databind.JsonNode;

/**
 * A node as {@code heddle serve} runs it, with types that only Java has. Their handlers append to a log what must not
 * happen twice, in lines so short that the appends of several processes do not mix.
 */
final class TortureNode {

    /** Four durable steps. */
    static final JobType<JsonNode, Integer> STEPS = JobType.of("steps", JsonNode.class, Integer.class);

    /** Runs at most once, and is a dead letter if its node dies meanwhile. */
    static final JobType<JsonNode, Integer> ONCE = JobType.of("once", JsonNode.class, Integer.class).nonIdempotent();

    /** Fails twice, so that it has to wait for its retries. */
    static final JobType<JsonNode, Integer> FLAKY = JobType.of("flaky", JsonNode.class, Integer.class)
            .retry(RetryPolicy.linear(1_000, Duration.ofMillis(50)));

    private final Path log;

    private TortureNode(Path log) {
        this.log = log;
    }

    /** Arguments: home, log. */
    public static void main(String[] args) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("HEDDLE_HOME", args[0]);
        CliContext context = new CliContext(new CliOutput(System.out, System.err, Terminal.NONE), environment,
                System.in);
        StopSignal stop = StopSignal.listen(() -> {});
        try (Daemon daemon = Daemon.start(context, context.options().nodeConfig())) {
            new TortureNode(Path.of(args[1])).register(daemon.pool());
            daemon.announce();
            daemon.serveUntil(stop.requested());
        }
        System.exit(0);
    }

    private void register(Pool pool) {
        pool.register(STEPS, (payload, job) -> steps(job));
        pool.register(ONCE, (payload, job) -> {
            write("once " + job.id());
            return 1;
        });
        pool.register(FLAKY, (payload, job) -> {
            if (job.attempt() <= 2) {
                throw JobException.transientFailure("attempt " + job.attempt());
            }
            return 1;
        });
    }

    private int steps(JobContext job) throws Exception {
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            String name = "s" + i;
            sum += job.step(name, Integer.class, () -> {
                write("run " + job.id() + " " + name);
                return 1;
            });
            write("done " + job.id() + " " + name);
        }
        return sum;
    }

    private void write(String line) throws IOException {
        Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
