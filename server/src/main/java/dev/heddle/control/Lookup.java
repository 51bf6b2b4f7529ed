package dev.heddle.control;

import java.util.List;
import java.util.Optional;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.job.IdRange;
import dev.heddle.job.Job;
import dev.heddle.store.JobQuery;

/** Finds what somebody means: a job by its id or the beginning of it, a batch also by its name. */
record Lookup(Ground ground) {

    /** How many ids a message names where the beginning of one is not enough. */
    private static final int CANDIDATES = 4;
    /** How many names a message lists. */
    private static final int NAMES = 20;

    /** The one job whose id begins so. */
    Job job(String id) {
        return found(IdRange.startingWith(Translation.shown(id)), id).orElseThrow(() -> gone(id));
    }

    /** The newest batch of that name, else the one whose id begins so. */
    Job batch(String given) {
        List<Job> named = ground
                .list(JobQuery.all().tag(BatchOrder.TAG).subject(Translation.name("batch", given)).limit(1));
        if (!named.isEmpty()) {
            return named.getFirst();
        }
        Optional<Job> found = IdRange.isBeginning(given) ? found(IdRange.startingWith(given), given)
                : Optional.empty();
        return found.orElseThrow(() -> ControlException
                .notFound("no batch is called '" + Translation.shown(given) + "', and no id begins so; "
                        + known()));
    }

    private String known() {
        List<String> names = ground
                .list(JobQuery.all().tag(BatchOrder.TAG).limit(Control.MOST_LISTED)).stream()
                .flatMap(batch -> batch.spec().subject().stream()).distinct().toList();
        if (names.isEmpty()) {
            return "there is no batch yet";
        }
        String more = names.size() > NAMES ? " and " + (names.size() - NAMES) + " more" : "";
        return "there are " + String.join(", ", names.stream().limit(NAMES).toList()) + more;
    }

    private Optional<Job> found(IdRange range, String id) {
        if (range.first().equals(range.last())) {
            return ground.find(range.first());
        }
        List<Job> found = ground.list(JobQuery.all().ids(range).limit(CANDIDATES));
        if (found.size() > 1) {
            throw new ControlException(Kind.AMBIGUOUS, "more than one job's id begins with '" + id
                    + "', such as "
                    + String.join(" and ", found.stream().limit(2).map(job -> job.id().toString())
                            .toList())
                    + "; give more of it");
        }
        return found.stream().findFirst();
    }

    static ControlException gone(String id) {
        return ControlException.notFound("no job has the id " + Translation.shown(id)
                + "; it was never submitted here, or it was deleted since");
    }
}
