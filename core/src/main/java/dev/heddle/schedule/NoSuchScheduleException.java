package dev.heddle.schedule;

import dev.heddle.job.HeddleException;
import dev.heddle.job.Limits;

/** There is no schedule with this name. */
public final class NoSuchScheduleException extends HeddleException {

    private static final long serialVersionUID = 1;

    /** Creates the exception for a name. */
    public NoSuchScheduleException(String name) {
        super("there is no schedule '" + Limits.quoted(name) + "'; 'heddle schedule list' shows all");
    }
}
