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
 * A command line that comes with the job, as {@code heddle run} submits it. Whoever may submit such a job may run
 * anything, so that nobody but the user's own machine should be let to.
 *
 * @param command the program and its arguments, taken as they are
 * @param directory where to run it, where it is to have no worktree
 * @param repository what to make a worktree of
 * @param ref what to check out there; default HEAD
 * @param artifacts globs of files to copy out
 * @param env variables to set
 */
public record FreeCommand(List<String> command, @Nullable String directory, @Nullable String repository,
        @Nullable String ref, @Nullable List<String> artifacts, @Nullable Map<String, String> env) {

    /** A command that ran once is not run again by itself: who knows what it did. */
    public static JobType<FreeCommand, JsonNode> type(String name) {
        return JobType.of(name, FreeCommand.class, JsonNode.class).retry(RetryPolicy.none()).nonIdempotent();
    }

    static Command command(String type, FreeCommand request) {
        try {
            List<String> line = Objects.requireNonNullElse(request.command, List.of());
            Command made = Command.of(type, line).type(JobType::nonIdempotent)
                    .artifacts(Objects.requireNonNullElse(request.artifacts, List.<String>of())
                            .toArray(String[]::new));
            for (var variable : Objects.requireNonNullElse(request.env, Map.<String, String>of())
                    .entrySet()) {
                made = made.env(variable.getKey(), variable.getValue());
            }
            if (request.repository != null) {
                return made.worktree(Path.of(request.repository),
                        Objects.requireNonNullElse(request.ref, "HEAD"));
            }
            return request.directory == null ? made : made.directory(Path.of(request.directory));
        } catch (IllegalArgumentException e) {
            throw JobException.permanent(Objects.requireNonNullElse(e.getMessage(), "wrong command"), e);
        }
    }
}
