package dev.heddle.cli.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.command.WorkspaceSpec;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.process.Sandbox;

/**
 * Reads the keys that all types with processes share: where the processes run, and the timeouts and retries.
 *
 * @param directory base of relative paths
 */
record SharedTypeKeys(Path directory) {

    private static final List<String> WORKTREE_KEYS = List.of("repo", "ref");
    static final List<String> SANDBOX_KEYS = List.of("network", "read", "write", "hide");
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(5);

    /** Rejects keys that exclude each other. */
    static void check(YamlNode type, List<Entry> keys) {
        if (keys.stream().filter(key -> List.of("directory", "worktree").contains(key.key())).count() > 1) {
            throw type.wrong("has both directory and worktree; keep one");
        }
        boolean sandboxed = keys.stream().filter(key -> key.key().equals("isolation"))
                .anyMatch(key -> key.value().as(ValueType.TYPE_ISOLATION));
        if (!sandboxed && keys.stream().anyMatch(key -> key.key().equals("sandbox"))) {
            throw type.wrong("has a sandbox that is not used; add isolation: sandbox");
        }
    }

    WorkspaceSpec setting(WorkspaceSpec setting, String key, YamlNode value) {
        return switch (key) {
            case "directory" -> setting.directory(directory.resolve(value.as(ValueType.TEXT)));
            case "worktree" -> worktree(setting, value);
            case "env" -> env(setting, value);
            case "inherit" -> setting.inherit(value.as(ValueType.INHERIT));
            case "allow" -> setting.allow(array(value.list(ValueType.TEXT, "[NPM_TOKEN]")));
            case "tools" -> setting.tools(array(value.list(ValueType.TEXT, "[git, ruff]")));
            case "runAs" -> setting.runAs(value.as(ValueType.TEXT));
            case "isolation" ->
                value.as(ValueType.TYPE_ISOLATION) ? sandbox(setting, UnaryOperator.identity()) : setting;
            case "sandbox" -> sandbox(setting, sandbox -> limits(sandbox, value));
            case "spawns" -> setting.spawns(array(value.list(ValueType.TEXT, "[resize, notify]")));
            case "artifacts" -> setting.artifacts(array(value.list(ValueType.TEXT, "[build/reports/**]")));
            default -> setting;
        };
    }

    <P, R> JobType<P, R> rules(JobType<P, R> type, String key, YamlNode value) {
        RetryPolicy retry = type.retry().orElse(RetryPolicy.standard());
        return switch (key) {
            case "timeout" -> type.timeout(value.as(ValueType.DURATION));
            case "stallAfter" -> type.stallAfter(value.as(ValueType.DURATION));
            case "searchable" -> type.searchable(array(value.list(ValueType.TEXT, "[customer.id]")));
            case "retries" -> type.retry(new RetryPolicy(value.as(ValueType.count(0)), retry.backoff()));
            case "backoff" ->
                type.retry(RetryPolicy.exponential(retry.maxRetries(), value.as(ValueType.DURATION), MAX_BACKOFF));
            default -> type;
        };
    }

    private WorkspaceSpec worktree(WorkspaceSpec setting, YamlNode value) {
        Map<String, String> keys = value.entries(WORKTREE_KEYS).stream()
                .collect(Collectors.toMap(Entry::key, key -> key.value().as(ValueType.TEXT)));
        String repository = keys.get("repo");
        if (repository == null) {
            throw value.wrong("has no repo; add one, such as repo: .");
        }
        return setting.worktree(directory.resolve(repository), keys.getOrDefault("ref", "HEAD"));
    }

    private static WorkspaceSpec sandbox(WorkspaceSpec setting, UnaryOperator<Sandbox> change) {
        Sandbox before = setting.confinement().sandbox();
        return setting.sandbox(change.apply(before == null ? Sandbox.standard() : before));
    }

    private Sandbox limits(Sandbox sandbox, YamlNode value) {
        Sandbox changed = sandbox;
        for (Entry key : value.entries(SANDBOX_KEYS)) {
            changed = switch (key.key()) {
                case "network" -> changed.network(key.value().as(ValueType.FLAG));
                case "read" -> changed.read(paths(key.value()));
                case "write" -> changed.write(paths(key.value()));
                default -> changed.hide(paths(key.value()));
            };
        }
        return changed;
    }

    /** Reads paths, which may start with the user's home as {@code ~}. */
    private List<Path> paths(YamlNode value) {
        return value.list(ValueType.TEXT, "[~/.claude]").stream()
                .map(path -> path.equals("~") || path.startsWith("~/")
                        ? Path.of(System.getProperty("user.home") + path.substring(1)) : directory.resolve(path))
                .toList();
    }

    private static WorkspaceSpec env(WorkspaceSpec setting, YamlNode value) {
        WorkspaceSpec changed = setting;
        for (Entry variable : value.entries()) {
            changed = changed.env(variable.key(), variable.value().leaf().text());
        }
        return changed;
    }

    static String[] array(List<String> words) {
        return words.toArray(String[]::new);
    }
}
