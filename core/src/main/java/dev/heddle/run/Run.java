package dev.heddle.run;

import java.math.BigDecimal;
import java.util.List;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt that ran a process left behind. Immutable.
 *
 * @param job the job
 * @param attempt the number of the attempt
 * @param place where its files are, such as {@code host:/srv/app/.heddle}: the full output, and artifacts
 * @param exitCode the exit code of the last process; null if it still runs, if none was started, or if its node died
 * @param work what it changed in its worktree; null if it changed nothing
 * @param artifacts the files that were copied from its working directory
 * @param cut whether some of the output was dropped because of its size
 * @param usage what an agent used; null if none ran
 */
public record Run(JobId job, int attempt, String place, @Nullable Integer exitCode, @Nullable Work work,
        List<Artifact> artifacts, boolean cut, @Nullable Usage usage) {

    /**
     * What an agent used.
     *
     * @param agent the name of the agent, such as {@code claude}
     * @param model the model; null if the agent did not say
     * @param session the session to resume; null if the agent did not say
     * @param tokens how many tokens it used
     * @param usd what it cost in US dollars; null if unknown
     * @param estimated whether the cost was calculated from a price list, and not reported by the agent
     */
    public record Usage(String agent, @Nullable String model, @Nullable String session, long tokens,
            @Nullable BigDecimal usd, boolean estimated) {}

    /**
     * Changes that are kept in their repository. {@code git -C REPOSITORY diff BASE REF} shows them.
     *
     * @param repository the directory of the repository
     * @param base the commit that the attempt started from
     * @param ref the reference to the changes
     */
    public record Work(String repository, String base, String ref) {}

    /**
     * A file that was copied from the working directory.
     *
     * @param path its path below the working directory, with forward slashes
     * @param bytes its size
     */
    public record Artifact(String path, long bytes) {}

    /** The output channels of a process. */
    public enum Channel {
        /** Standard output. */
        STDOUT,
        /** Standard error. */
        STDERR
    }

    /** Returns a run that has started and left nothing yet. */
    public static Run started(JobId job, int attempt, String place) {
        return new Run(job, attempt, place, null, null, List.of(), false, null);
    }

    /** Returns a copy with changes. */
    public Run with(Work changes) {
        return new Run(job, attempt, place, exitCode, changes, artifacts, cut, usage);
    }
}
