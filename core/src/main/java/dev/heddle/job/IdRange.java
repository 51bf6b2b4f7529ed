package dev.heddle.job;

import java.util.regex.Pattern;

/**
 * A range of ids, such as all ids with a common prefix.
 *
 * @param first the smallest id in the range
 * @param last the largest id in the range
 */
public record IdRange(JobId first, JobId last) {

    private static final int DIGITS = 32;
    private static final Pattern PREFIX = Pattern.compile("[0-9a-fA-F][0-9a-fA-F-]*");

    /**
     * Returns the range of all ids that start with a prefix. Dashes may be left out, and case does not matter.
     *
     * @throws IllegalArgumentException if no id can start with the prefix
     */
    public static IdRange startingWith(String prefix) {
        String digits = prefix.replace("-", "");
        if (!isPrefix(prefix)) {
            throw new IllegalArgumentException("not a job id or a prefix of one: '" + prefix + "'; expected up to "
                    + DIGITS + " digits such as in " + JobId.next());
        }
        int missing = DIGITS - digits.length();
        return new IdRange(id(digits + "0".repeat(missing)), id(digits + "f".repeat(missing)));
    }

    /** Returns whether an id can start with this text. */
    public static boolean isPrefix(String text) {
        return PREFIX.matcher(text).matches() && text.replace("-", "").length() <= DIGITS;
    }

    private static JobId id(String digits) {
        return JobId.of(digits.substring(0, 8) + "-" + digits.substring(8, 12) + "-" + digits.substring(12, 16) + "-"
                + digits.substring(16, 20) + "-" + digits.substring(20));
    }

    /** Returns whether an id is in the range. */
    public boolean contains(JobId id) {
        return first.compareTo(id) <= 0 && id.compareTo(last) <= 0;
    }
}
