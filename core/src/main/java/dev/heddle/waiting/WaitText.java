package dev.heddle.waiting;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import dev.heddle.job.JobId;
import dev.heddle.job.LimitKey;
import org.jspecify.annotations.Nullable;

/** Parts of the sentences of {@link WaitReason}. */
final class WaitText {

    private static final int MOST_NAMES = 5;

    private WaitText() {}

    /** Returns a time without what nobody needs to know of it. */
    static String time(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    static String because(@Nullable String why) {
        return why == null || why.isBlank() ? "" : " (" + why + ")";
    }

    static String times(int count) {
        return switch (count) {
            case 1 -> "once";
            case 2 -> "twice";
            default -> count + " times";
        };
    }

    static String count(int count, boolean more) {
        return more ? "more than " + count : String.valueOf(count);
    }

    /** Returns {@code node a} or {@code nodes a, b and c}. */
    static String nodes(List<String> nodes) {
        return (nodes.size() == 1 ? "node " : "nodes ") + names(nodes);
    }

    /** Returns {@code a}, {@code a, b and c}, or the first few of them and the number of others. */
    static String names(List<String> names) {
        if (names.size() > MOST_NAMES) {
            return String.join(", ", names.subList(0, MOST_NAMES)) + " and " + (names.size() - MOST_NAMES) + " more";
        }
        int last = names.size() - 1;
        return names.size() == 1 ? names.getFirst()
                : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }

    static String ids(List<JobId> jobs, long all) {
        return String.join(", ", jobs.stream().map(JobId::toString).toList()) + (all > jobs.size() ? ", …" : "");
    }

    static String forKey(LimitKey key) {
        return key.key().equals(LimitKey.ALL) ? "" : " for key '" + key.key() + "'";
    }

    static String ahead(int ahead, boolean more) {
        return ahead == 0 ? "" : count(ahead, more) + (ahead == 1 ? " job" : " jobs")
                + " of its queue and type " + (ahead == 1 ? "is" : "are") + " ahead of it";
    }
}
