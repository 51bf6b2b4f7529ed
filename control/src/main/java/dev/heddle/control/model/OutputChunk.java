package dev.heddle.control.model;

import java.util.Base64;

import dev.heddle.run.Run;

/**
 * A chunk of the output of a job's processes.
 *
 * @param id the id of the job
 * @param attempt the attempt that wrote it; 0 if none has started
 * @param channel standard output or standard error
 * @param offset where the chunk begins, in bytes
 * @param data the bytes, in Base64
 * @param next the offset of the next chunk
 * @param last whether the output is complete: no chunk follows, now or later
 */
public record OutputChunk(String id, int attempt, Run.Channel channel, long offset, String data, long next,
        boolean last) {

    /** Creates a chunk of these bytes. */
    public static OutputChunk of(String id, int attempt, Run.Channel channel, long offset, byte[] bytes, boolean last) {
        return new OutputChunk(id, attempt, channel, offset, Base64.getEncoder().encodeToString(bytes),
                offset + bytes.length, last);
    }

    /** Returns the decoded data. */
    public byte[] bytes() {
        return Base64.getDecoder().decode(data);
    }
}
