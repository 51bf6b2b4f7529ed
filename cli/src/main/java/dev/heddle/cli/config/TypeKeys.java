package dev.heddle.cli.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.Setting;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;

/**
 * What every type that runs processes can say: where they run, and by which rules.
 *
 * @param directory where relative paths start
 */
record TypeKeys(Path directory) {

    static final List<String> SETTING = List.of("directory", "worktree", "env", "allow", "tools",
            "artifacts");
    static final List<String> RULES = List.of("timeout", "stallAfter", "retries", "backoff");
    private static final List<String> WORKTREE_KEYS = List.of("repo", "ref");
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

    /** Refuses what cannot be together. */
    static void check(YamlNode type, List<Entry> keys) {
        if (keys.stream().filter(key -> List.of("directory", "worktree").contains(key.key())).count() > 1) {
            throw type.wrong("has a directory and a worktree; keep one of them");
        }
    }

    Setting setting(Setting setting, String key, YamlNode value) {
        return switch (key) {
            case "directory" -> setting.directory(directory.resolve(value.as(Kind.TEXT)));
            case "worktree" -> worktree(setting, value);
            case "env" -> env(setting, value);
            case "allow" -> setting.allow(array(value.list(Kind.TEXT, "[NPM_TOKEN]")));
            case "tools" -> setting.tools(array(value.list(Kind.TEXT, "[git, ruff]")));
            case "artifacts" -> setting.artifacts(array(value.list(Kind.TEXT, "[build/reports/**]")));
            default -> setting;
        };
    }

    <P, R> JobType<P, R> rules(JobType<P, R> type, String key, YamlNode value) {
        RetryPolicy retry = type.retry().orElse(RetryPolicy.standard());
        return switch (key) {
            case "timeout" -> type.timeout(value.as(Kind.SPAN));
            case "stallAfter" -> type.stallAfter(value.as(Kind.SPAN));
            case "retries" -> type.retry(new RetryPolicy(value.as(Kind.count(0)), retry.backoff()));
            case "backoff" -> type
                    .retry(RetryPolicy.exponential(retry.maxRetries(), value.as(Kind.SPAN), LONGEST_BACKOFF));
            default -> type;
        };
    }

    private Setting worktree(Setting setting, YamlNode value) {
        Map<String, String> keys = value.entries(WORKTREE_KEYS).stream()
                .collect(Collectors.toMap(Entry::key, key -> key.value().as(Kind.TEXT)));
        String repository = keys.get("repo");
        if (repository == null) {
            throw value.wrong("has no repo; add one, such as repo: .");
        }
        return setting.worktree(directory.resolve(repository), keys.getOrDefault("ref", "HEAD"));
    }

    private static Setting env(Setting setting, YamlNode value) {
        Setting changed = setting;
        for (Entry variable : value.entries()) {
            changed = changed.env(variable.key(), variable.value().leaf().text());
        }
        return changed;
    }

    static String[] array(List<String> words) {
        return words.toArray(String[]::new);
    }
}
