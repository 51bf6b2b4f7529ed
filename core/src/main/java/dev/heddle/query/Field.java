package dev.heddle.query;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The fields of a job that a query can name. */
public enum Field {
    /** The state. */
    STATE(Kind.STATE, true, "the state, such as failed or queued"),
    /** The job type. */
    TYPE(Kind.TEXT, true, "the job type"),
    /** The queue. */
    QUEUE(Kind.TEXT, true, "the queue"),
    /** A tag. */
    TAG(Kind.TEXT, true, "a tag of the job"),
    /** The subject. */
    SUBJECT(Kind.TEXT, true, "the subject"),
    /** The session. */
    SESSION(Kind.TEXT, true, "the client session"),
    /** The dedupe key. */
    KEY(Kind.TEXT, true, "the dedupe key"),
    /** The schedule that submitted the job. */
    SCHEDULE(Kind.TEXT, false, "the schedule that submitted the job"),
    /** A node that holds the job or ran one of its attempts. */
    NODE(Kind.TEXT, false, "a node that has the job or ran an attempt of it"),
    /** The id, or the beginning of it. */
    ID(Kind.ID, true, "the id, or its first digits"),
    /** The id of the parent, or the beginning of it. */
    PARENT(Kind.ID, true, "the id of the parent, or its first digits"),
    /** When the job was submitted. */
    CREATED(Kind.TIME, true, "when the job was submitted"),
    /** When the last attempt that started did so. */
    STARTED(Kind.TIME, false, "when its last attempt started"),
    /** When the job ended. */
    ENDED(Kind.TIME, true, "when the job ended"),
    /** The number of the last attempt. */
    ATTEMPTS(Kind.NUMBER, false, "how many attempts the job has had"),
    /** The priority. */
    PRIORITY(Kind.NUMBER, false, "the priority"),
    /** How long the last attempt that started has run. */
    DURATION(Kind.DURATION, false, "how long its last attempt has run"),
    /** A part of the message of the last failure. */
    ERROR(Kind.PART, false, "a part of the message of the last failure"),
    /** A part of the reason why the job is paused, failed or cancelled. */
    REASON(Kind.PART, false, "a part of the reason why the job was paused, failed or cancelled");

    /** How the fields of headers start. */
    public static final String HEADER_PREFIX = "header.";

    /** How the fields of payloads start. */
    public static final String PAYLOAD_PREFIX = "payload.";

    /** What values a field has. */
    public enum Kind {
        /** A {@link dev.heddle.job.JobState}. */
        STATE,
        /** A text that must be equal. */
        TEXT,
        /** A text that must occur in the field. */
        PART,
        /** A job id or the beginning of one. */
        ID,
        /** A time. */
        TIME,
        /** A whole number. */
        NUMBER,
        /** A length of time. */
        DURATION
    }

    private final Kind kind;
    private final boolean indexed;
    private final String description;

    Field(Kind kind, boolean indexed, String description) {
        this.kind = kind;
        this.indexed = indexed;
        this.description = description;
    }

    /** Returns the field with this name, in any case. */
    public static Optional<Field> named(String name) {
        return Arrays.stream(values()).filter(field -> field.word().equalsIgnoreCase(name)).findFirst();
    }

    /** Returns the names of all fields. */
    public static List<String> words() {
        return Arrays.stream(values()).map(Field::word).toList();
    }

    /** Returns the name in a query. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what values the field has. */
    public Kind kind() {
        return kind;
    }

    /** Returns whether stores find jobs by this field without reading others. */
    public boolean isIndexed() {
        return indexed;
    }

    /** Returns what the field is, for people. */
    public String description() {
        return description;
    }
}
