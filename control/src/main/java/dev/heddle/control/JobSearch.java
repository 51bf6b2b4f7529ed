package dev.heddle.control;

import java.util.List;

import dev.heddle.job.IdRange;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.Limits;
import dev.heddle.pool.HoldReasons;
import dev.heddle.search.TextIndex;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;

/** Lists the jobs and dead letters that match a filter, page by page. */
record JobSearch(Backend backend) {

    JobPage jobs(JobFilter filter) {
        JobQuery query = query(filter);
        List<Job> jobs = list(filter, query);
        HoldReasons held = backend.held();
        return new JobPage(jobs.stream().map(job -> JobView.of(job, held)).toList(), next(jobs, query));
    }

    DeadLetterPage deadLetters(JobFilter filter) {
        JobQuery query = deadLetterQuery(filter);
        List<Job> jobs = list(filter, query);
        return new DeadLetterPage(jobs.stream().flatMap(job -> backend.jobs().details(job.id()).stream())
                .map(story -> DeadLetterView.of(story).withoutPayload()).toList(), next(jobs, query));
    }

    /** Returns the query of a filter, with its states replaced by that of dead letters. */
    JobQuery deadLetterQuery(JobFilter filter) {
        return query(filter).states(JobState.FAILED);
    }

    private JobQuery query(JobFilter filter) {
        return filter.query(
                filter.parent() == null ? null : new JobResolver(backend.jobs()).job(filter.parent()).id());
    }

    private List<Job> list(JobFilter filter, JobQuery query) {
        return filter.text() == null ? backend.jobs().list(query) : listByText(filter.text(), query);
    }

    private List<Job> listByText(String words, JobQuery query) {
        if (TextIndex.words(words).isEmpty()) {
            throw ControlException.invalid("text must contain at least one word: '" + Limits.quoted(words) + "'");
        }
        TextIndex index = backend.jobs().capability(TextIndex.class)
                .orElseThrow(() -> ControlException.invalid("this store does not support searching by text"));
        return index.search(words, Control.MOST_LISTED).stream()
                .flatMap(id -> backend.jobs().list(query.ids(new IdRange(id, id)).limit(1)).stream())
                .limit(query.limit()).toList();
    }

    private static @Nullable String next(List<Job> jobs, JobQuery query) {
        return jobs.size() < query.limit() ? null : String.valueOf(jobs.getLast().seq());
    }
}
