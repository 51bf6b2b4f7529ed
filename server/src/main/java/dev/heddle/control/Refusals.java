package dev.heddle.control;

import java.util.function.Supplier;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.pool.QueueFullException;
import dev.heddle.store.StoreException;

/** Says in one kind of exception what pools and stores say in many. */
final class Refusals {

    private Refusals() {}

    static <T> T translated(Supplier<T> question) {
        try {
            return question.get();
        } catch (QueueFullException e) {
            throw refusal(Kind.FULL, e);
        } catch (NoSuchJobException e) {
            throw refusal(Kind.NOT_FOUND, e);
        } catch (PoolClosedException e) {
            throw refusal(Kind.UNREACHABLE, e);
        } catch (StoreException e) {
            throw refusal(kind(e.kind()), e);
        } catch (IllegalArgumentException e) {
            throw refusal(Kind.INVALID, e);
        }
    }

    private static ControlException refusal(Kind kind, RuntimeException e) {
        return new ControlException(kind, String.valueOf(e.getMessage()), e);
    }

    private static Kind kind(StoreException.Kind kind) {
        return switch (kind) {
            case REJECTED -> Kind.INVALID;
            case IN_USE, UNREACHABLE, DENIED, READ_ONLY, FULL, CORRUPT, FOREIGN, CLOSED, OTHER ->
                Kind.UNREACHABLE;
        };
    }
}
