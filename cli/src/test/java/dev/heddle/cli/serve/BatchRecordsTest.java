package dev.heddle.cli.serve;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.local.BatchSpec;
import dev.heddle.control.model.BatchView;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Starts a node on a store with records that look like batches. */
class BatchRecordsTest {

    @TempDir
    private Path directory;

    private JobRequest<JsonNode, JsonNode> record(String type, String units, String definition) {
        BatchSpec spec = new BatchSpec(units, units, definition, directory.toString(), null, 1,
                directory.resolve("units").toString(), 0);
        return JobType.of(type, JsonNode.class, JsonNode.class).with(ControlJson.tree(ControlJson.write(spec)))
                .tags(BatchSpec.TAG).subject(units);
    }

    @Test
    void onlyThoseOfTheTypeBatchDefineTypesAndBadOnesAreSkippedAndShown() {
        String definition = "name: docs\nunits: units.jsonl\ncommand: [\"true\"]\n";
        String bad;
        try (SqliteStore store = SqliteStore.at(directory.resolve("heddle.db"))) {
            var submitter = Pool.on(store).submitter();
            submitter.submit(List.of(record("idle", "batch:by-tag", definition)));
            submitter.submit(List.of(record("batch@elsewhere", "batch:of-another-machine", definition)));
            submitter.submit(List.of(record("batch", "echo", definition)));
            submitter.submit(List.of(record("batch", "batch:deep", "[".repeat(200_000))));
            bad = submitter.submit(List.of(JobType.of("batch", JsonNode.class, JsonNode.class)
                    .with(ControlJson.tree("[]")).tags(BatchSpec.TAG))).getFirst().id().toString();
            submitter.submit(List.of(record("batch", "batch:good", definition)));
        }
        CliContext context = new CliContext(
                new CliOutput(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), Terminal.NONE),
                Map.of("HEDDLE_HOME", directory.toString()), InputStream.nullInputStream());
        Config config = context.options().nodeConfig();
        try (Daemon daemon = Daemon.start(context, config.with(config.server().at("127.0.0.1", 0)));
                Control control = daemon.control()) {
            assertThat(control.stats().types()).contains("echo", "batch:good").doesNotContain("batch:by-tag",
                    "batch:of-another-machine", "batch:deep");
            assertThat(control.batches()).extracting(BatchView::name).contains("batch:good", "batch:deep", bad)
                    .doesNotContain("batch:by-tag");
            assertThat(control.batch(bad).error()).startsWith("the payload of this batch cannot be read: ");
        }
    }
}
