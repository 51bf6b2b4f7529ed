package dev.heddle.control.local;

import java.util.function.Supplier;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.pool.LimitReachedException;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.pool.QueueFullException;
import dev.heddle.query.QuerySyntaxException;
import dev.heddle.query.QueryTimeoutException;
import dev.heddle.schedule.NoSuchScheduleException;
import dev.heddle.store.StoreException;

/** Translates the exceptions of pools and stores to {@link ControlException}s. */
final class ExceptionTranslator {

    private ExceptionTranslator() {}

    /** Calls the operation, and throws a {@link ControlException} if a pool or a store refuses it. */
    static <T> T translating(Supplier<T> operation) {
        try {
            return operation.get();
        } catch (QueueFullException e) {
            throw translated(Kind.FULL, e);
        } catch (LimitReachedException e) {
            throw translated(Kind.FULL, e);
        } catch (NoSuchJobException | NoSuchScheduleException e) {
            throw translated(Kind.NOT_FOUND, e);
        } catch (PoolClosedException e) {
            throw translated(Kind.UNREACHABLE, e);
        } catch (QuerySyntaxException | QueryTimeoutException e) {
            throw translated(Kind.INVALID, e);
        } catch (StoreException e) {
            throw translated(kind(e.kind()), e);
        } catch (UnsupportedOperationException e) {
            throw translated(Kind.CONFLICT, e);
        } catch (IllegalArgumentException e) {
            throw translated(Kind.INVALID, e);
        }
    }

    private static ControlException translated(Kind kind, RuntimeException e) {
        return new ControlException(kind, String.valueOf(e.getMessage()), e);
    }

    private static Kind kind(StoreException.Kind kind) {
        return switch (kind) {
            case REJECTED -> Kind.INVALID;
            case IN_USE, UNREACHABLE, DENIED, READ_ONLY, FULL, CORRUPT, FOREIGN, CLOSED, OTHER -> Kind.UNREACHABLE;
        };
    }
}
