package dev.heddle.pool;

/** The pool was closed before the call; nothing of it happened. */
public final class PoolClosedException extends IllegalStateException {

    PoolClosedException(String what) {
        super("the pool is closed, so " + what + "; open a new pool on the store");
    }
}
