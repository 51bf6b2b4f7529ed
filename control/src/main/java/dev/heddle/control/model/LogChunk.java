package dev.heddle.control.model;

import java.util.Base64;

/**
 * A chunk of a worker's log.
 *
 * @param worker the id of the worker
 * @param offset where the chunk begins, in bytes since the log began; not as asked for if that part of the log was
 *     deleted
 * @param data the bytes, in Base64
 * @param next the offset of the next chunk
 */
public record LogChunk(String worker, long offset, String data, long next) {

    /** Creates a chunk of these bytes. */
    public static LogChunk of(String worker, long offset, byte[] bytes) {
        return new LogChunk(worker, offset, Base64.getEncoder().encodeToString(bytes), offset + bytes.length);
    }

    /** Returns the decoded data. */
    public byte[] bytes() {
        return Base64.getDecoder().decode(data);
    }
}
