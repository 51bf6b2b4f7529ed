package dev.heddle.control.local;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.job.IdRange;
import dev.heddle.job.JobId;
import dev.heddle.store.JobQuery;
import dev.heddle.store.JobReader;

/**
 * Shortens ids to a beginning that no other job has. The beginning ends at a dash, and has at least the time of the id,
 * so that jobs submitted later do not make it ambiguous.
 */
record ShortIds(JobReader jobs) {

    /** The lengths to try: the time; the time and the counter; and more of the random digits. */
    private static final int[] LENGTHS = {13, 18, 23};

    Map<String, String> of(List<String> ids) {
        InputChecks.between("the number of ids", 1, Control.MOST_SHORTENED, ids.size());
        List<String> full = ids.stream().map(ShortIds::checked).toList();
        Map<String, String> shortened = new LinkedHashMap<>();
        full.forEach(id -> shortened.put(id, shorten(id, full)));
        return shortened;
    }

    private static String checked(String id) {
        try {
            return JobId.of(id).toString();
        } catch (IllegalArgumentException e) {
            throw ControlException.invalid(String.valueOf(e.getMessage()));
        }
    }

    private String shorten(String id, List<String> others) {
        for (int length : LENGTHS) {
            String start = id.substring(0, length);
            // The others are asked first, because that takes no query.
            if (others.stream().noneMatch(other -> other.startsWith(start) && !other.equals(id)) && isUnique(start)) {
                return start;
            }
        }
        return id;
    }

    private boolean isUnique(String start) {
        return jobs.list(JobQuery.all().ids(IdRange.startingWith(start)).limit(2)).size() < 2;
    }
}
