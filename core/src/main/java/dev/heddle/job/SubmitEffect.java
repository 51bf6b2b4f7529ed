package dev.heddle.job;

/** What a submit did. */
public enum SubmitEffect {
    /** It created the job. */
    CREATED,
    /** It created the job, which runs once the job that has its dedupe key now has ended. */
    SUCCEEDS,
    /** It created the job, and cancelled the older jobs with its dedupe key. */
    SUPERSEDED,
    /** It changed an unclaimed job, which has the payload and the options of the submit now. */
    REPLACED,
    /** It changed an unclaimed job, and postponed its start. */
    DEBOUNCED,
    /** Nothing: there was a job with its id or its dedupe key, and it stays as it is. */
    UNCHANGED;

    /** Returns whether the submit created a job. */
    public boolean isNew() {
        return switch (this) {
            case CREATED, SUCCEEDS, SUPERSEDED -> true;
            case REPLACED, DEBOUNCED, UNCHANGED -> false;
        };
    }
}
