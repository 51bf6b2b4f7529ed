package dev.heddle.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.job.JobException;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The payload of a job that brings its own command line, as {@code heddle run} submits it. Anyone who can submit such a
 * job can run any program, so only the user's own machine should be allowed to.
 *
 * @param command the program and its arguments, used unchanged
 * @param directory where to run the command, if it gets no worktree; null for the node's directory
 * @param repository the repository of the worktree; null for no worktree
 * @param ref what to check out in the worktree; null for HEAD
 * @param artifacts globs of files to copy out; null for none
 * @param env variables to set; null for none
 * @param inherited what it inherits from the environment of the caller, instead of that of the node; null for the node's
 */
public record AdHocCommand(List<String> command, @Nullable String directory, @Nullable String repository,
        @Nullable String ref, @Nullable List<String> artifacts, @Nullable Map<String, String> env,
        @Nullable Map<String, String> inherited) {

    /** Returns the job type. Its jobs are never retried, because nobody knows what a command did before it failed. */
    public static JobType<AdHocCommand, JsonNode> type(String name) {
        return JobType.of(name, AdHocCommand.class, JsonNode.class).retry(RetryPolicy.none()).nonIdempotent();
    }

    CommandSpec toSpec(String type) {
        try {
            CommandSpec spec = CommandSpec.of(type, Objects.requireNonNullElse(command, List.of()))
                    .type(JobType::nonIdempotent)
                    .artifacts(Objects.requireNonNullElse(artifacts, List.<String>of()).toArray(String[]::new));
            if (inherited != null) {
                spec = spec.workspace(space -> space.inherit(WorkspaceSpec.Inherit.NONE));
                for (var variable : inherited.entrySet()) {
                    spec = spec.env(variable.getKey(), variable.getValue());
                }
            }
            for (var variable : Objects.requireNonNullElse(env, Map.<String, String>of()).entrySet()) {
                spec = spec.env(variable.getKey(), variable.getValue());
            }
            if (repository != null) {
                return spec.worktree(Path.of(repository), Objects.requireNonNullElse(ref, "HEAD"));
            }
            return directory == null ? spec : spec.directory(Path.of(directory));
        } catch (IllegalArgumentException e) {
            throw JobException.permanent(Objects.requireNonNullElse(e.getMessage(), "invalid command"), e);
        }
    }
}
