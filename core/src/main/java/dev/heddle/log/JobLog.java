package dev.heddle.log;

import org.slf4j.event.Level;

/** The log of a running attempt. Safe for use by many threads; never blocks and never throws. */
public interface JobLog {

    /** Returns the number of the attempt. */
    int attempt();

    /**
     * Adds a line. It is stored within about a second, together with others. Once the attempt has ended, nothing is
     * added any more.
     *
     * @param text the text; what is longer than 16,384 characters is cut
     */
    void add(Level level, LogStream stream, String text);
}
