package dev.heddle.control;

import java.util.Optional;

import dev.heddle.job.JobId;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/** What a node has in files of its own and not in the store. */
public interface NodeFiles {

    /** Nothing: the store's word has to do. */
    NodeFiles NONE = new NodeFiles() {
        @Override
        public Optional<byte[]> output(Run run, Run.Channel channel, long offset, int most) {
            return Optional.empty();
        }

        @Override
        public Optional<byte[]> log(String worker, long offset, int most) {
            return Optional.empty();
        }
    };

    /** What was said in an attempt, null for the last that had an agent; empty where none of it is here. */
    default Optional<ConversationView> conversation(JobId job, @Nullable Integer attempt) {
        return Optional.empty();
    }

    /** At most so many bytes of a run's output from there on; empty where its files are not here. */
    Optional<byte[]> output(Run run, Run.Channel channel, long offset, int most);

    /** At most so many bytes of a worker's log from there on; empty where it has none, or is shorter than that. */
    Optional<byte[]> log(String worker, long offset, int most);
}
