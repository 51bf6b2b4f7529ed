package dev.heddle.query;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import dev.heddle.job.DurationText;
import dev.heddle.job.HeddleException;

/** Thrown if a query reads too many jobs, because a store has no index for some of its conditions. */
public final class QueryTimeoutException extends HeddleException {

    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param limit how long a query may take
     * @param withoutIndex what there is no index for, see {@link Condition#withoutIndex}
     */
    public QueryTimeoutException(Duration limit, Collection<String> withoutIndex) {
        super("the query was stopped after " + DurationText.of(limit) + ": there is no index for "
                + joined(List.copyOf(withoutIndex))
                + "; add a condition that few jobs meet and that has one, such as created:<2h, type: or state:failed");
    }

    private static String joined(List<String> words) {
        List<String> quoted = words.stream().map(word -> "'" + word + "'").toList();
        return quoted.size() < 2 ? String.join("", quoted)
                : quoted.stream().limit(quoted.size() - 1).collect(Collectors.joining(", ")) + " and "
                        + quoted.getLast();
    }
}
