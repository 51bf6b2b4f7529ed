package dev.heddle.job;

import java.util.regex.Pattern;

/** All ids from one to another, both included: what a prefix of an id stands for. */
public record IdRange(JobId first, JobId last) {

    private static final int DIGITS = 32;
    private static final Pattern PREFIX = Pattern.compile("[0-9a-fA-F][0-9a-fA-F-]*");

    /** The ids that begin so; dashes may be left out, and case does not matter. */
    public static IdRange startingWith(String prefix) {
        String digits = prefix.replace("-", "");
        if (!isBeginning(prefix)) {
            throw new IllegalArgumentException("not a job id, nor the beginning of one: '" + prefix
                    + "'; expected up to " + DIGITS + " digits such as in " + JobId.next());
        }
        int missing = DIGITS - digits.length();
        return new IdRange(id(digits + "0".repeat(missing)), id(digits + "f".repeat(missing)));
    }

    /** Whether an id can begin so. */
    public static boolean isBeginning(String text) {
        return PREFIX.matcher(text).matches() && text.replace("-", "").length() <= DIGITS;
    }

    private static JobId id(String digits) {
        return JobId
                .of(digits.substring(0, 8) + "-" + digits.substring(8, 12) + "-" + digits.substring(12, 16)
                        + "-" + digits.substring(16, 20) + "-" + digits.substring(20));
    }

    public boolean contains(JobId id) {
        return first.compareTo(id) <= 0 && id.compareTo(last) <= 0;
    }
}
