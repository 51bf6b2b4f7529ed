package dev.heddle.run;

import java.math.BigDecimal;
import java.util.List;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt left that ran as a process.
 *
 * @param place the home whose files it has, such as {@code host:/srv/app/.heddle}: output in full, artifacts
 * @param exitCode of the last process; null while it runs, where none was started, or where its node died
 * @param work what it changed in its worktree; null where it changed nothing
 * @param artifacts the files that were copied out
 * @param cut whether some of the output had to be left out
 * @param usage what an agent used; null where none ran
 */
public record Run(JobId job, int attempt, String place, @Nullable Integer exitCode, @Nullable Work work,
        List<Artifact> artifacts, boolean cut, @Nullable Usage usage) {

    /**
     * What an agent used.
     *
     * @param agent by its name, such as claude
     * @param model null where it did not say
     * @param session what to resume it by; null where it did not say
     * @param usd null where nobody knows
     * @param estimated whether the USD are worked out from a table of prices, and not the agent's own word
     */
    public record Usage(String agent, @Nullable String model, @Nullable String session, long tokens,
            @Nullable BigDecimal usd, boolean estimated) {}

    /**
     * Changes that are kept in their repository: {@code git -C REPOSITORY diff BASE REF} shows them.
     *
     * @param base the commit that the attempt began with
     */
    public record Work(String repository, String base, String ref) {}

    /**
     * A file that was copied out.
     *
     * @param path below the working directory, with forward slashes
     */
    public record Artifact(String path, long bytes) {}

    /** What a process writes to. */
    public enum Channel {
        STDOUT, STDERR
    }

    /** One that has begun. */
    public static Run begun(JobId job, int attempt, String place) {
        return new Run(job, attempt, place, null, null, List.of(), false, null);
    }

    /** The same with changes that were found later. */
    public Run with(Work found) {
        return new Run(job, attempt, place, exitCode, found, artifacts, cut, usage);
    }
}
