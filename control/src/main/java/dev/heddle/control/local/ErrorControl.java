package dev.heddle.control.local;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.ErrorDetail;
import dev.heddle.control.model.ErrorNote;
import dev.heddle.control.model.ErrorView;
import dev.heddle.job.Job;
import dev.heddle.job.Limits;
import dev.heddle.stats.ErrorFingerprint;
import dev.heddle.stats.ErrorGroup;
import dev.heddle.stats.ErrorStore;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import org.jspecify.annotations.Nullable;

/** Reads and describes groups of failures, and retries or deletes their dead letters. */
final class ErrorControl {

    private final Backend backend;
    private final String actor;
    private final SubmissionGate gate;
    private final ErrorStore store;

    ErrorControl(Backend backend, String actor, SubmissionGate gate) {
        this.backend = backend;
        this.actor = actor;
        this.gate = gate;
        this.store = backend.jobs().capability(ErrorStore.class)
                .orElseThrow(() -> ControlException.notFound("this store keeps no groups of failures"));
    }

    List<ErrorView> list(@Nullable String type, int limit) {
        return store.errors(type, InputChecks.between("limit", 1, Control.MOST_LISTED, limit)).stream()
                .map(ErrorControl::view).toList();
    }

    ErrorDetail show(String fingerprint, @Nullable String cursor, int limit) {
        InputChecks.between("limit", 1, Control.MOST_LISTED, limit);
        ErrorGroup group = find(fingerprint);
        List<Job> dead = store.deadLetters(group.fingerprint().id(), InputChecks.cursor(cursor), limit);
        Map<Long, Instant> first = backend.jobs().firstFailures(dead.stream().map(Job::seq).toList());
        return new ErrorDetail(view(group),
                dead.stream().map(job -> Views.listed(job, first.get(job.seq()))).toList(),
                dead.size() < limit ? null : String.valueOf(dead.getLast().seq()));
    }

    ErrorView describe(String fingerprint, ErrorNote note) {
        ErrorGroup group = find(fingerprint);
        return store
                .describeError(group.fingerprint().id(), changed("note", group.note(), note.note()),
                        changed("assignee", group.assignee(), note.assignee()))
                .map(ErrorControl::view).orElseThrow(() -> notFound(fingerprint));
    }

    private static @Nullable String changed(String what, @Nullable String before, @Nullable String after) {
        if (after == null) {
            return before;
        }
        if (after.length() > Limits.MESSAGE) {
            throw ControlException.invalid(what + " must have at most " + Limits.MESSAGE + " characters: "
                    + after.length());
        }
        return after.isBlank() ? null : after.strip();
    }

    /** Passes from the newest to the oldest once, so it ends even if jobs fail again as fast as it retries them. */
    AffectedCount retry(String fingerprint) {
        ErrorGroup group = find(fingerprint);
        gate.requireRetryable(group.fingerprint().type());
        String id = group.fingerprint().id();
        long retried = 0;
        long before = 0;
        while (true) {
            List<Job> page = store.deadLetters(id, before, Control.MOST_LISTED);
            retried += page.isEmpty() ? 0
                    : count(new AdminCommand.RetryErrors(id, before, Control.MOST_LISTED, actor, backend.now()));
            if (page.size() < Control.MOST_LISTED) {
                return new AffectedCount(retried);
            }
            before = page.getLast().seq();
        }
    }

    AffectedCount purge(String fingerprint) {
        String id = find(fingerprint).fingerprint().id();
        long purged = 0;
        int count;
        do {
            count = count(new AdminCommand.PurgeErrors(id, Control.MOST_LISTED, actor, backend.now()));
            purged += count;
        } while (count == Control.MOST_LISTED);
        return new AffectedCount(purged);
    }

    private int count(AdminCommand command) {
        return backend.execute(command) instanceof CommandResult.Done(int count) ? count : 0;
    }

    private ErrorGroup find(String fingerprint) {
        List<ErrorGroup> found = store.findErrors(InputChecks.name("fingerprint", fingerprint));
        if (found.size() > 1) {
            throw new ControlException(Kind.AMBIGUOUS,
                    "several errors have fingerprints that begin with '" + Limits.quoted(fingerprint) + "'");
        }
        return found.stream().findFirst().orElseThrow(() -> notFound(fingerprint));
    }

    private static ControlException notFound(String fingerprint) {
        return ControlException.notFound("no error has the fingerprint '" + Limits.quoted(fingerprint) + "'");
    }

    static ErrorView view(ErrorGroup group) {
        ErrorFingerprint print = group.fingerprint();
        return new ErrorView(print.id(), print.type(), print.exception(), print.frame(), print.message(),
                group.sample(), group.failures(), group.firstSeen(), group.lastSeen(), group.lastJob().toString(),
                group.note(), group.assignee(), group.hours());
    }
}
