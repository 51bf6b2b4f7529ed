package dev.heddle.engine.schedule;

import java.time.Instant;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.schedule.ScheduleState;
import dev.heddle.schedule.ScheduleStatus;
import dev.heddle.schedule.ScheduleStatus.Definition;
import dev.heddle.schedule.ScheduleStatus.Origin;
import dev.heddle.schedule.StoredSchedule;
import org.jspecify.annotations.Nullable;

/**
 * Decides how a schedule changes if code puts it, or if a person edits it. Putting something that code has put before
 * changes nothing: during a rolling upgrade, old and new nodes put in any order. An edit stays in effect until it is
 * reset, whatever code puts. Does no I/O.
 */
final class ScheduleEdits {

    private ScheduleEdits() {}

    /** Whether code has put this, or something that replaced it, before. */
    static boolean isKnown(@Nullable StoredSchedule current, StoredDefinition put) {
        if (current == null) {
            return false;
        }
        ScheduleDocument document = ScheduleDocument.read(current.name(), current.document());
        StoredDefinition code = document.code();
        return document.known().contains(put.fingerprint())
                || (code != null && code.fingerprint().equals(put.fingerprint()));
    }

    static StoredSchedule put(String name, @Nullable StoredSchedule current, StoredDefinition put, Instant now) {
        ScheduleDocument document = documentOf(current, now).putAt(now);
        if (current != null && isKnown(current, put)) {
            return store(current, document);
        }
        ScheduleDocument changed = document.withCode(put);
        return current != null && changed.edit() != null ? store(current, changed)
                : schedule(name, current, changed, now);
    }

    static StoredSchedule edit(String name, @Nullable StoredSchedule current, StoredDefinition edit, String actor,
            Instant now) {
        return schedule(name, current, documentOf(current, now).withEdit(edit, actor, now), now);
    }

    /** Puts what code last put into effect; unchanged if nothing else is. */
    static StoredSchedule reset(StoredSchedule current, Instant now) {
        ScheduleDocument document = documentOf(current, now);
        if (document.code() == null) {
            throw new IllegalStateException("schedule '" + current.name()
                    + "' cannot be reset: no code has defined it, and no heddle.yaml; edit or delete it");
        }
        return document.edit() == null ? current
                : schedule(current.name(), current, document.withEdit(null, null, null), now);
    }

    static StoredSchedule pause(StoredSchedule current, Instant now) {
        return switch (current.state()) {
            case ACTIVE -> new StoredSchedule(current.name(), ScheduleState.PAUSED, null, current.open(),
                    documentOf(current, now).withNext(null).withWaiting(null).write());
            case PAUSED -> current;
            case ENDED -> throw ended("paused", current);
        };
    }

    static StoredSchedule resume(StoredSchedule current, Instant now) {
        return switch (current.state()) {
            case ACTIVE -> current;
            case PAUSED -> activate(current.name(), current.open(), documentOf(current, now), now);
            case ENDED -> throw ended("resumed", current);
        };
    }

    private static IllegalStateException ended(String what, StoredSchedule schedule) {
        return new IllegalStateException("schedule '" + schedule.name() + "' cannot be " + what
                + ": it has ended; give it a later end date or more runs first");
    }

    private static ScheduleDocument documentOf(@Nullable StoredSchedule current, Instant now) {
        return current == null ? ScheduleDocument.empty(now)
                : ScheduleDocument.read(current.name(), current.document());
    }

    private static StoredSchedule store(StoredSchedule current, ScheduleDocument document) {
        return new StoredSchedule(current.name(), current.state(), current.nextAt(), current.open(), document.write());
    }

    private static StoredSchedule schedule(String name, @Nullable StoredSchedule current, ScheduleDocument document,
            Instant now) {
        List<JobId> open = current == null ? List.of() : current.open();
        return current != null && current.state() == ScheduleState.PAUSED
                ? new StoredSchedule(name, ScheduleState.PAUSED, null, open, document.write())
                : activate(name, open, document, now);
    }

    /** Goes on with the first time that is neither past nor decided already. */
    private static StoredSchedule activate(String name, List<JobId> open, ScheduleDocument document, Instant now) {
        Definition definition = document.definition().toDefinition();
        Integer runs = definition.runs();
        Instant from = now.isAfter(document.last()) ? now : document.last();
        @Nullable Instant next = runs != null && document.counts().fired() >= runs ? null
                : definition.nextAfter(from).orElse(null);
        return new StoredSchedule(name, next == null ? ScheduleState.ENDED : ScheduleState.ACTIVE,
                next == null ? null : new Jitter(name, definition.jitter()).start(next), open,
                document.withNext(next).write());
    }

    static ScheduleStatus status(StoredSchedule schedule) {
        ScheduleDocument document = ScheduleDocument.read(schedule.name(), schedule.document());
        Definition definition = document.definition().toDefinition();
        Instant next = document.next();
        return new ScheduleStatus(schedule.name(), schedule.state(), definition,
                new Origin(document.code() != null, document.putAt(), document.editedBy(), document.editedAt()),
                next == null ? null : new Jitter(schedule.name(), definition.jitter()).start(next), next,
                document.waiting(), document.counts());
    }
}
