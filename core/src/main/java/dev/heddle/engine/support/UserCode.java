package dev.heddle.engine.support;

import java.util.function.Consumer;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls code of the application, such as listeners and gates, on threads of the engine. Whatever that code throws, even
 * an {@link Error}, ends here, and it cannot leave a thread of the engine interrupted.
 */
public final class UserCode {

    private static final Logger LOG = LoggerFactory.getLogger(UserCode.class);

    private UserCode() {}

    /**
     * Runs the code.
     *
     * @param onThrow logs what the code has thrown
     */
    public static void run(Runnable code, Consumer<Throwable> onThrow) {
        call(() -> {
            code.run();
            return true;
        }, false, onThrow);
    }

    /**
     * Calls the code and returns its result.
     *
     * @param otherwise the result if the code throws
     * @param onThrow logs what the code has thrown
     */
    @SuppressWarnings("CatchingThrowable") // that is what this class is for
    public static <T> T call(Supplier<T> code, T otherwise, Consumer<Throwable> onThrow) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        try {
            return code.get();
        } catch (Throwable thrown) {
            log(thrown, onThrow);
            return otherwise;
        } finally {
            if (!interrupted && isOfTheEngine(Thread.currentThread())) {
                Thread.interrupted();
            }
        }
    }

    /** An interrupt of one of the application's own threads may come from elsewhere and must not get lost. */
    private static boolean isOfTheEngine(Thread thread) {
        return thread.getName().startsWith("heddle-");
    }

    @SuppressWarnings("CatchingThrowable") // an exception whose message throws makes the logger throw
    private static void log(Throwable thrown, Consumer<Throwable> onThrow) {
        try {
            onThrow.accept(thrown);
        } catch (Throwable unprintable) {
            LOG.warn("The application threw {}, which cannot be logged", thrown.getClass().getName());
        }
    }
}
