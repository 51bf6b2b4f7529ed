package dev.heddle.control.local;

import java.io.InputStream;
import java.util.Optional;

import dev.heddle.control.model.ConversationView;
import dev.heddle.control.model.JobDiff;
import dev.heddle.control.model.LogChunk;
import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/** Reads what a node keeps in files on its machine and not in the store. */
public interface NodeFiles {

    /** No files: output comes from the store, which keeps only the end of it. */
    NodeFiles NONE = new NodeFiles() {
        @Override
        public Optional<byte[]> output(Run run, Run.Channel channel, long offset, int most) {
            return Optional.empty();
        }

        @Override
        public Optional<LogChunk> log(String worker, long offset, int most) {
            return Optional.empty();
        }
    };

    /**
     * Returns the conversation of an agent run; empty if it is not on this machine.
     *
     * @param attempt the number of the attempt; null for the last one that ran an agent
     */
    default Optional<ConversationView> conversation(JobId job, @Nullable Integer attempt) {
        return Optional.empty();
    }

    /** Returns what a run changed in its worktree; empty if the repository is not on this machine. */
    default Optional<JobDiff> diff(Run run) {
        return Optional.empty();
    }

    /** Opens a file that a run has left; empty if it left none of this name, or if it is not on this machine. */
    default Optional<InputStream> artifact(Run run, String name) {
        return Optional.empty();
    }

    /**
     * Returns up to {@code most} bytes of the output of a run, from an offset on; empty if it is not on this machine.
     */
    Optional<byte[]> output(Run run, Run.Channel channel, long offset, int most);

    /**
     * Returns up to {@code most} bytes of a worker's log, from an offset on; empty if there is no log. If that part of
     * the log was deleted, or the log is shorter, the chunk begins with the oldest part there is.
     */
    Optional<LogChunk> log(String worker, long offset, int most);
}
