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
 * Waits to be told to stop. The first signal asks for it; the second ends the process on the spot, with the exit code
 * that the shell gives to that signal.
 *
 * <p>A shutdown hook would not do: the JVM hears no second signal while its hooks run. The class that hears them,
 * {@code sun.misc.Signal}, is one the compiler warns of however it is asked not to, hence the reflection.
 */
final class StopSignal {

    private static final List<String> SIGNALS = List.of("INT", "TERM", "HUP");
    private static final int SIGNAL_BASE = 128;

    private final CompletableFuture<Void> told = new CompletableFuture<>();
    private final AtomicBoolean first = new AtomicBoolean(true);
    private final Runnable onForce;

    private StopSignal(Runnable onForce) {
        this.onForce = onForce;
    }

    /** From here on signals ask, and no longer end. The callback runs before a second one does. */
    static StopSignal listen(Runnable onForce) {
        StopSignal stop = new StopSignal(onForce);
        for (String name : SIGNALS) {
            try {
                stop.handle(name);
            } catch (InvocationTargetException e) {
                // Not on this system, or the JVM was told to leave it alone: then it does what it does.
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
                ? hear((int) number.invoke(arguments[0]))
                : method.invoke(this, arguments);
        Object handler = Proxy.newProxyInstance(StopSignal.class.getClassLoader(),
                new Class<?>[]{handlerType},
                heard);
        signalType.getMethod("handle", signalType, handlerType).invoke(null,
                signalType.getConstructor(String.class).newInstance(name), handler);
    }

    private @Nullable Object hear(int number) {
        if (first.compareAndSet(true, false)) {
            told.complete(null);
        } else {
            onForce.run();
            Runtime.getRuntime().halt(SIGNAL_BASE + number);
        }
        return null;
    }

    /** Done once it is time to stop. */
    CompletableFuture<Void> told() {
        return told;
    }

    boolean isTold() {
        return told.isDone();
    }
}
