package dev.heddle.control;

import java.util.Base64;

import dev.heddle.run.Run;

/**
 * A piece of what a job's processes wrote.
 *
 * @param attempt the attempt that wrote it; 0 where none has begun
 * @param offset where it begins, in bytes
 * @param data the bytes, in Base64
 * @param next where the next piece begins
 * @param last whether nothing follows, now or later
 */
public record OutputPiece(String id, int attempt, Run.Channel channel, long offset, String data, long next,
        boolean last) {

    static OutputPiece of(String id, int attempt, Run.Channel channel, long offset, byte[] bytes,
            boolean last) {
        return new OutputPiece(id, attempt, channel, offset, Base64.getEncoder().encodeToString(bytes),
                offset + bytes.length, last);
    }

    public byte[] bytes() {
        return Base64.getDecoder().decode(data);
    }
}
