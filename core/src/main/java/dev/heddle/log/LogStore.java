package dev.heddle.log;

import java.util.List;

import dev.heddle.store.Fence;

/**
 * An optional capability of a store: keeps the logs of jobs, each with its job. Nothing is stored for jobs that log
 * nothing. Safe for use by many threads.
 */
public interface LogStore {

    /**
     * A chunk to store, and the chunks that it displaces.
     *
     * @param fence the attempt that wrote it
     * @param chunk the lines
     * @param dropAfter chunks of the attempt are deleted that end after this line
     * @param dropThrough and up to this one; 0 if none are
     */
    record Append(Fence fence, LogChunk chunk, long dropAfter, long dropThrough) {

        /** Appends a chunk and deletes nothing. */
        public Append(Fence fence, LogChunk chunk) {
            this(fence, chunk, 0, 0);
        }
    }

    /**
     * Stores chunks, each only if its attempt still has the job, or was ended by its own node. A chunk of an attempt
     * that was taken away, such as by the recovery of a dead node, is refused, as is one of a deleted job. Storing a chunk
     * again replaces it.
     *
     * @return for each chunk whether it was stored
     */
    List<Boolean> append(List<Append> chunks);

    /**
     * Returns the first chunks of a job that end at a position or later, by attempt and line.
     *
     * @param seq the job, by {@link dev.heddle.job.Job#seq}
     * @param limit the most chunks
     */
    List<LogChunk> chunks(long seq, LogPosition from, int limit);
}
