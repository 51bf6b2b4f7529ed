package dev.heddle.search;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.heddle.job.JobId;

/** A store that finds jobs by the words of their attempts. The words go with their job. */
public interface TextIndex {

    /** The most characters of an attempt that are kept. */
    int MOST = 256 * 1024;

    /** Keeps the words of an attempt, instead of those that were kept before; of a job that is gone, nothing. */
    void index(JobId job, int attempt, String text);

    /** Jobs that have an attempt with all these words, whatever their order and case; the newest first. */
    List<JobId> find(String words, int limit);

    /** What counts as words: letters and digits, a hundred at most. Empty where there are none. */
    static List<String> words(String text) {
        return NO_WORD.splitAsStream(text.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty() && word.length() <= LONGEST_WORD).distinct().toList();
    }

    Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");
    int LONGEST_WORD = 100;
}
