package dev.heddle.engine.execute;

import java.util.Arrays;

/**
 * Recognizes a handler that has called {@code System.exit}. Its call does not return: it runs the shutdown hooks, and
 * one of them closes the pool and waits for the handler. Without this, the job would be released like all others, and
 * would end one node after another.
 */
final class JvmExit {

    private JvmExit() {}

    /**
     * Returns whether a thread is the one that ends the JVM. There is at most one: if others call {@code System.exit}
     * as well, even because they were told to stop, they wait until the JVM is gone.
     */
    static boolean isBy(Thread thread) {
        return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getClassName().equals("java.lang.Shutdown")
                && frame.getMethodName().equals("runHooks"));
    }
}
