package dev.heddle.search;

import java.util.List;

import dev.heddle.job.JobId;

/** An optional capability of a store: finds jobs by the words of their attempts. Safe for use by many threads. */
public interface TextIndex {

    /** How many characters of an attempt are indexed at most. */
    int MAX_CHARACTERS = 256 * 1024;

    /** Indexes the text of an attempt, replacing what was indexed for it before. Does nothing if the job is gone. */
    void index(JobId job, int attempt, String text);

    /** Returns the jobs that have an attempt with all these words, in any order and case, newest first. */
    List<JobId> search(String words, int limit);

    /** Splits a text into its distinct words: letters and digits, in lower case, up to 100 of them in a row. */
    static List<String> words(String text) {
        return Words.of(text);
    }
}
