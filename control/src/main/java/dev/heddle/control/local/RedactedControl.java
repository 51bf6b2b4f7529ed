package dev.heddle.control.local;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;

import dev.heddle.control.Control;
import dev.heddle.control.Redaction;
import dev.heddle.control.ViewMasker;
import org.jspecify.annotations.Nullable;

/** Gives the answers of another control with secrets masked. */
public final class RedactedControl {

    private RedactedControl() {}

    /** Returns a control that masks every answer by these rules. */
    public static Control of(Control control, Redaction redaction) {
        ViewMasker masker = new ViewMasker(redaction);
        return redaction.isNone() ? control
                : (Control) Proxy.newProxyInstance(Control.class.getClassLoader(), new Class<?>[]{Control.class},
                        (_, method, arguments) -> invoke(control, method, arguments, masker));
    }

    private static @Nullable Object invoke(Control control, Method method, @Nullable Object @Nullable [] arguments,
            ViewMasker masker) throws Throwable {
        try {
            Object answer = method.invoke(control, arguments);
            return answer == null ? null : masker.view(answer);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }
}
