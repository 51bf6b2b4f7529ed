package dev.heddle.examples.checks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.command.CommandRuntime;
import dev.heddle.command.CommandSpec;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.run.RunArchive;
import dev.heddle.sqlite.SqliteStore;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs one command on several branches at once. Arguments: {@code HOME REPOSITORY FILE BRANCH…} */
public final class BranchChecks {

    private BranchChecks() {}

    /** The job supplies the branch and the file; the program is fixed. */
    static CommandSpec count(Path repository) {
        return CommandSpec.of("count-words", "sh", "-c", """
                words=$(wc -w < "$1") || exit 2
                echo "$words words on $2"
                echo "{\\"words\\": $words}" > "$HEDDLE_RESULT_PATH"
                echo "checked" >> "$1"
                """, "sh", "{{file}}", "{{branch}}").worktree(repository, "{{branch}}").tools("git", "sh")
                .timeout(Duration.ofMinutes(1));
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        CommandSpec count = count(Path.of(args[1]));
        SqliteStore store = SqliteStore.at(home.resolve("heddle.db"));
        try (CommandRuntime workshop = CommandRuntime.open(CommandRuntime.Settings.in(home), store);
                Pool pool = workshop.register(count, Pool.on(store)).open()) {
            Map<String, JobHandle<JsonNode>> jobs = new LinkedHashMap<>();
            for (String branch : List.of(args).subList(3, args.length)) {
                jobs.put(branch, pool.submit(count.type(), payload(args[2], branch)));
            }
            List<String> lines = new ArrayList<>();
            for (var job : jobs.entrySet()) {
                JsonNode result = Objects.requireNonNull(job.getValue().await(Duration.ofMinutes(2)));
                var run = pool.admin().capability(RunArchive.class).orElseThrow().runs(job.getValue().id())
                        .getLast();
                lines.add(job.getKey() + ": " + result.get("words") + " words, exit " + run.exitCode()
                        + ", changes "
                        + (run.work() == null ? "none"
                                : run.work().ref().replaceAll("/[0-9a-f-]+/", "/JOB/")));
            }
            lines.forEach(System.out::println);
        }
    }

    private static JsonNode payload(String file, String branch) {
        return JsonMapper.builder().build().valueToTree(Map.of("file", file, "branch", branch));
    }
}
