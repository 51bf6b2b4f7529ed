package dev.heddle.examples.checks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.command.Command;
import dev.heddle.command.Workshop;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.sqlite.SqliteStore;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs one command on several branches at once. {@code BranchChecks HOME REPOSITORY FILE BRANCH…} */
public final class BranchChecks {

    private BranchChecks() {}

    /** What is run: the branch and the file come with the job, the program does not. */
    static Command count(Path repository) {
        return Command.of("count-words", "sh", "-c", """
                words=$(wc -w < "$1") || exit 2
                echo "$words words on $2"
                echo "{\\"words\\": $words}" > "$HEDDLE_RESULT_PATH"
                echo "checked" >> "$1"
                """, "sh", "{{file}}", "{{branch}}").worktree(repository, "{{branch}}").tools("git", "sh")
                .timeout(Duration.ofMinutes(1));
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        Command count = count(Path.of(args[1]));
        SqliteStore store = SqliteStore.at(home.resolve("heddle.db"));
        try (Workshop workshop = Workshop.open(Workshop.Settings.in(home), store);
                Pool pool = workshop.add(count, Pool.on(store)).open()) {
            Map<String, JobHandle<JsonNode>> jobs = new LinkedHashMap<>();
            for (String branch : List.of(args).subList(3, args.length)) {
                jobs.put(branch, pool.submit(count.type(), payload(args[2], branch)));
            }
            List<String> lines = new ArrayList<>();
            for (var job : jobs.entrySet()) {
                JsonNode result = Objects.requireNonNull(job.getValue().await(Duration.ofMinutes(2)));
                var run = pool.runs().orElseThrow().runs(job.getValue().id()).getLast();
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
