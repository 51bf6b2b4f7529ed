package dev.heddle.engine.schedule;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.schedule.ScheduleStatus.Counts;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a store keeps of a schedule without looking into it, written as JSON.
 *
 * @param code what code last put; null if it never did
 * @param known the fingerprints of what code put before, the oldest first: another node may still put that
 * @param putAt when code last put it, even if unchanged
 * @param edit what a person made of it; null if nobody did
 * @param editedBy that person
 * @param editedAt when that was
 * @param next the time of the next run, before jitter; null if there is none
 * @param last the last time that was decided. It never moves back, so no time is decided twice
 * @param waiting the time of a run that waits for an earlier one to end; null if none does
 * @param counts what it has done
 */
record ScheduleDocument(@Nullable StoredDefinition code, List<String> known, @Nullable Instant putAt,
        @Nullable StoredDefinition edit, @Nullable String editedBy, @Nullable Instant editedAt, @Nullable Instant next,
        Instant last, @Nullable Instant waiting, Counts counts) {

    /** A node that puts something older than this is told nothing, and wins. */
    private static final int MOST_KNOWN = 50;

    // A newer Heddle may have written fields that this one does not know.
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    static ScheduleDocument empty(Instant now) {
        return new ScheduleDocument(null, List.of(), null, null, null, null, null, now, null, new Counts(0, 0, 0));
    }

    /**
     * Reads a document.
     *
     * @throws IllegalStateException if it is damaged; the message is one line
     */
    static ScheduleDocument read(String name, String json) {
        try {
            return MAPPER.readValue(json, ScheduleDocument.class);
        } catch (JacksonException e) {
            throw new IllegalStateException("schedule '" + name
                    + "' is damaged in the store; delete it and create it again", e);
        }
    }

    String write() {
        return MAPPER.writeValueAsString(this);
    }

    /** Returns what is in effect. */
    StoredDefinition definition() {
        StoredDefinition edited = edit;
        StoredDefinition put = code;
        if (edited != null) {
            return edited;
        }
        if (put == null) {
            throw new IllegalStateException("a schedule without a definition");
        }
        return put;
    }

    ScheduleDocument putAt(Instant time) {
        return new ScheduleDocument(code, known, time, edit, editedBy, editedAt, next, last, waiting, counts);
    }

    ScheduleDocument withCode(StoredDefinition put) {
        List<String> older = new ArrayList<>(known);
        StoredDefinition before = code;
        if (before != null) {
            older.add(before.fingerprint());
        }
        return new ScheduleDocument(put, older.subList(Math.max(0, older.size() - MOST_KNOWN), older.size()), putAt,
                edit, editedBy, editedAt, next, last, waiting, counts);
    }

    ScheduleDocument withEdit(@Nullable StoredDefinition edited, @Nullable String by, @Nullable Instant at) {
        return new ScheduleDocument(code, known, putAt, edited, by, at, next, last, waiting, counts);
    }

    ScheduleDocument withNext(@Nullable Instant time) {
        return new ScheduleDocument(code, known, putAt, edit, editedBy, editedAt, time, last, waiting, counts);
    }

    ScheduleDocument withLast(Instant time) {
        return new ScheduleDocument(code, known, putAt, edit, editedBy, editedAt, next,
                time.isAfter(last) ? time : last, waiting, counts);
    }

    ScheduleDocument withWaiting(@Nullable Instant time) {
        return new ScheduleDocument(code, known, putAt, edit, editedBy, editedAt, next, last, time, counts);
    }

    ScheduleDocument withCounts(Counts changed) {
        return new ScheduleDocument(code, known, putAt, edit, editedBy, editedAt, next, last, waiting, changed);
    }
}
