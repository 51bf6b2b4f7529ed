package dev.heddle.control.local;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;

import dev.heddle.access.Actor;
import dev.heddle.access.AuditEntry.Outcome;
import dev.heddle.control.Audited;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.BackfillResult;
import dev.heddle.control.model.BatchView;
import dev.heddle.control.model.BudgetDraft;
import dev.heddle.control.model.BudgetView;
import dev.heddle.control.model.BulkDraft;
import dev.heddle.control.model.BulkView;
import dev.heddle.control.model.DrainResult;
import dev.heddle.control.model.ErrorView;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.LimitDraft;
import dev.heddle.control.model.LimitView;
import dev.heddle.control.model.NewTokenView;
import dev.heddle.control.model.QueueView;
import dev.heddle.control.model.SavedView;
import dev.heddle.control.model.ScheduleDraft;
import dev.heddle.control.model.ScheduleView;
import dev.heddle.control.model.SubmitResult;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.model.TokenView;
import dev.heddle.control.model.ViewDraft;
import dev.heddle.control.model.WorkerView;
import org.jspecify.annotations.Nullable;

/**
 * Records every {@link Audited} call of a control in the audit log: who did what to what, and how it ended. It is the
 * one place for this, so an operation that is added to {@link Control} only needs the annotation.
 */
final class AuditedControl implements InvocationHandler {

    private final Control control;
    private final Actor actor;
    private final AuditLog log;

    private AuditedControl(Control control, Actor actor, AuditLog log) {
        this.control = control;
        this.actor = actor;
        this.log = log;
    }

    /** Returns a control that does the same, and records it. Closing it writes the log and closes the control. */
    static Control of(Control control, Actor actor, AuditLog log) {
        return (Control) Proxy.newProxyInstance(Control.class.getClassLoader(), new Class<?>[]{Control.class},
                new AuditedControl(control, actor, log));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        Audited operation = method.getAnnotation(Audited.class);
        if (operation == null) {
            if (method.getName().equals("close")) {
                log.flush();
            }
            return call(method, arguments);
        }
        Object argument = arguments == null || arguments.length == 0 ? null : arguments[0];
        try {
            Object result = call(method, arguments);
            String target = target(result);
            log.record(actor, operation.value(), target == null ? target(argument) : target, count(result),
                    Outcome.DONE, null);
            return result;
        } catch (ControlException e) {
            log.record(actor, operation.value(), target(argument), 1,
                    e.kind() == Kind.DENIED ? Outcome.REFUSED : Outcome.FAILED, e.getMessage());
            throw e;
        } catch (RuntimeException e) {
            log.record(actor, operation.value(), target(argument), 1, Outcome.FAILED, e.toString());
            throw e;
        }
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(control, arguments);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNullElse(e.getCause(), e);
        }
    }

    /** Returns the id or the name of what an argument or a result is about; null if it has none. */
    private static @Nullable String target(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String id -> id;
            case JobView job -> job.id();
            case SubmitResult submitted -> submitted.jobs().isEmpty() ? null : submitted.jobs().getFirst().id();
            case List<?> drafts when !drafts.isEmpty() && drafts.getFirst() instanceof JobDraft draft -> draft.type();
            case QueueView queue -> queue.name();
            case ScheduleView schedule -> schedule.name();
            case ScheduleDraft schedule -> schedule.name();
            case WorkerView worker -> worker.id();
            case BatchView batch -> batch.id();
            case BudgetView budget -> budget.scope() + " " + budget.measure();
            case BudgetDraft budget -> Objects.requireNonNullElse(budget.scope(), "pool") + " " + budget.measure();
            case ErrorView error -> error.fingerprint();
            case LimitView limit -> limit.name();
            case LimitDraft limit -> limit.name();
            case NewTokenView token -> token.token().name();
            case TokenView token -> token.name();
            case TokenDraft token -> token.name();
            case BulkView bulk -> bulk.id();
            case BulkDraft bulk -> bulk.q();
            case SavedView view -> view.name();
            case ViewDraft view -> view.name();
            case DrainResult drain -> drain.node();
            case JobFilter filter -> ControlJson.write(filter);
            default -> null;
        };
    }

    private static long count(@Nullable Object result) {
        return switch (result) {
            case AffectedCount affected -> affected.count();
            case SubmitResult submitted -> submitted.jobs().size();
            case BulkView bulk -> bulk.total();
            case BackfillResult backfill -> backfill.made();
            case null, default -> 1;
        };
    }
}
