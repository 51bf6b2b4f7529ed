package dev.heddle.benchmarks.contender;

import java.util.List;

/** A product that fires recurring jobs. */
public interface RecurringContender {

    /** All of them, Heddle first. */
    List<RecurringContender> ALL = List.of(new RecurringHeddle(), new RecurringDbScheduler(), new RecurringJobRunr());

    /** Returns the name of the product and its settings. */
    String name();

    /**
     * Starts recurring jobs, until the result is closed.
     *
     * @param place an empty location
     * @param jobs how many there are, all with the same times
     * @param cron the times, with a field for the second
     * @param fired is called by each run, first of all
     */
    AutoCloseable start(Database database, StoreLocation place, int jobs, String cron, Runnable fired) throws Exception;
}
