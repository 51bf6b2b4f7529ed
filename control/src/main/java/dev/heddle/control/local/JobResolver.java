package dev.heddle.control.local;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.job.IdRange;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.Limits;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.JobReader;

/** Finds the job that a caller means: by its id or a prefix of it, or a batch by its name. */
record JobResolver(JobReader jobs) {

    /** How many batch names a message lists at most. */
    private static final int MAX_NAMES = 20;

    /** Returns the only job whose id starts with this text. */
    Job job(String id) {
        return find(IdRange.startingWith(Limits.quoted(id)), id).orElseThrow(() -> notFound(id));
    }

    /** Returns a job with everything stored about it. */
    JobDetails details(JobId id) {
        return jobs.details(id).orElseThrow(() -> notFound(id.toString()));
    }

    /** Returns the newest batch of this name, or else the batch whose id starts with this text. */
    Job batch(String nameOrId) {
        Optional<Job> named = batches(JobQuery.all().subject(InputChecks.name("batch", nameOrId))).findFirst();
        if (named.isPresent()) {
            return named.get();
        }
        Optional<Job> found = IdRange.isPrefix(nameOrId) ? find(IdRange.startingWith(nameOrId), nameOrId)
                : Optional.empty();
        return found.orElseThrow(() -> ControlException
                .notFound("no batch has the name or id '" + Limits.quoted(nameOrId) + "'; " + knownBatches()));
    }

    /** Returns the batches of a query, newest first. */
    Stream<Job> batches(JobQuery query) {
        return jobs.list(query.tag(BatchSpec.TAG).limit(Control.MOST_LISTED)).stream().filter(JobResolver::isBatch);
    }

    /** Returns whether a job is a batch. A tag alone does not make it one: any caller could have chosen the tag. */
    static boolean isBatch(Job job) {
        return ReservedNames.isBatch(job.type()) && job.spec().tags().contains(BatchSpec.TAG);
    }

    private String knownBatches() {
        List<String> names = batches(JobQuery.all()).flatMap(batch -> batch.spec().subject().stream()).distinct()
                .toList();
        if (names.isEmpty()) {
            return "there are no batches";
        }
        String more = names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " more" : "";
        return "known batches: " + String.join(", ", names.stream().limit(MAX_NAMES).toList()) + more;
    }

    private Optional<Job> find(IdRange range, String id) {
        if (range.first().equals(range.last())) {
            return jobs.find(range.first());
        }
        List<Job> found = jobs.list(JobQuery.all().ids(range).limit(2));
        if (found.size() > 1) {
            throw new ControlException(Kind.AMBIGUOUS, "several job ids start with '" + id + "', such as "
                    + found.getFirst().id() + " and " + found.getLast().id() + "; give more of the id");
        }
        return found.stream().findFirst();
    }

    static ControlException notFound(String id) {
        return ControlException.notFound("no job has the id " + Limits.quoted(id)
                + "; it was never submitted here, or it has been deleted");
    }
}
