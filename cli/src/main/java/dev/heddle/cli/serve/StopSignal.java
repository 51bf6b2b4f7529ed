package dev.heddle.cli.serve;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * Handles SIGINT, SIGTERM and SIGHUP. The first signal requests a stop; the second ends the process immediately, with
 * the exit code that shells use for that signal.
 *
 * <p>A shutdown hook would not work, because the JVM ignores further signals while hooks run. {@code sun.misc.Signal}
 * is called by reflection, because the compiler warns of it even if told not to.
 */
final class StopSignal {

    private static final List<String> SIGNALS = List.of("INT", "TERM", "HUP");
    private static final int SIGNAL_BASE = 128;

    private final CompletableFuture<Void> requested = new CompletableFuture<>();
    private final AtomicBoolean first = new AtomicBoolean(true);
    private final Runnable onForce;

    private StopSignal(Runnable onForce) {
        this.onForce = onForce;
    }

    /** Installs the handlers. The callback runs when a second signal arrives, before the process ends. */
    static StopSignal listen(Runnable onForce) {
        StopSignal stop = new StopSignal(onForce);
        for (String name : SIGNALS) {
            try {
                stop.handle(name);
            } catch (InvocationTargetException e) {
                // The system has no such signal, or the JVM reserves it; keep the default.
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("this JVM has no sun.misc.Signal", e);
            }
        }
        return stop;
    }

    private void handle(String name) throws ReflectiveOperationException {
        Class<?> signalType = Class.forName("sun.misc.Signal");
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Method number = signalType.getMethod("getNumber");
        InvocationHandler heard = (proxy, method, arguments) -> method.getName().equals("handle")
                ? onSignal((int) number.invoke(arguments[0])) : method.invoke(this, arguments);
        Object handler = Proxy.newProxyInstance(StopSignal.class.getClassLoader(), new Class<?>[]{handlerType}, heard);
        signalType.getMethod("handle", signalType, handlerType).invoke(null,
                signalType.getConstructor(String.class).newInstance(name), handler);
    }

    private @Nullable Object onSignal(int number) {
        if (first.compareAndSet(true, false)) {
            requested.complete(null);
        } else {
            onForce.run();
            Runtime.getRuntime().halt(SIGNAL_BASE + number);
        }
        return null;
    }

    /** Returns a future that completes on the first signal. */
    CompletableFuture<Void> requested() {
        return requested;
    }

    boolean isRequested() {
        return requested.isDone();
    }
}
