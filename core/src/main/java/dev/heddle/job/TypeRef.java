package dev.heddle.job;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A generic type that a {@code Class} cannot express, captured by an anonymous subclass:
 *
 * {@snippet :
 * JobType<List<Order>, Void> BILL = JobType.of("bill", new TypeRef<List<Order>>() {});
 * }
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {

    private final Type type;

    /** Captures the type argument of the subclass. */
    protected TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
            throw new IllegalArgumentException("a TypeRef needs its type argument: new TypeRef<List<String>>() {}");
        }
        this.type = parameterized.getActualTypeArguments()[0];
    }

    /** Returns the captured type. */
    public final Type type() {
        return type;
    }

    /** Returns the name of the captured type. */
    @Override
    public final String toString() {
        return type.getTypeName();
    }
}
