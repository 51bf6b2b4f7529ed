package dev.heddle.control;

import java.util.Base64;

/**
 * A piece of a log.
 *
 * @param worker whose it is
 * @param offset where it begins, in bytes; 0 again where the log was begun anew
 * @param data the bytes, in Base64
 * @param next where the next piece begins
 */
public record LogPiece(String worker, long offset, String data, long next) {

    static LogPiece of(String worker, long offset, byte[] bytes) {
        return new LogPiece(worker, offset, Base64.getEncoder().encodeToString(bytes), offset + bytes.length);
    }

    public byte[] bytes() {
        return Base64.getDecoder().decode(data);
    }
}
