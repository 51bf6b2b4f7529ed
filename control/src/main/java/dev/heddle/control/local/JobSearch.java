package dev.heddle.control.local;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.model.DeadLetterPage;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobPage;
import dev.heddle.control.model.QueryFieldView;
import dev.heddle.job.IdRange;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Limits;
import dev.heddle.pool.HoldReasons;
import dev.heddle.query.Field;
import dev.heddle.query.QueryParser;
import dev.heddle.search.TextIndex;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobQuery;
import org.jspecify.annotations.Nullable;

import static dev.heddle.control.local.InputChecks.between;
import static dev.heddle.control.local.InputChecks.name;

/** Lists the jobs and dead letters that match a filter, page by page. */
record JobSearch(Backend backend) {

    JobPage jobs(JobFilter filter) {
        JobQuery query = query(filter);
        HoldReasons held = backend.held();
        List<Job> jobs = filter.text() == null && HeldJobs.isMeant(query)
                ? new HeldJobs(backend.jobs(), held).listPaused(query)
                : list(filter, query);
        return new JobPage(jobs.stream().map(job -> Views.job(job, held)).toList(), next(jobs, query));
    }

    DeadLetterPage deadLetters(JobFilter filter) {
        JobQuery query = deadLetterQuery(filter);
        List<Job> jobs = list(filter, query);
        Map<Long, Instant> firstFailures = backend.jobs().firstFailures(jobs.stream().map(Job::seq).toList());
        return new DeadLetterPage(
                jobs.stream().map(job -> Views.listed(job, firstFailures.get(job.seq()))).toList(),
                next(jobs, query));
    }

    /** Returns the query of a filter, with its states replaced by that of dead letters. */
    JobQuery deadLetterQuery(JobFilter filter) {
        return query(filter).states(JobState.FAILED);
    }

    private JobQuery query(JobFilter filter) {
        JobId parent = filter.parent() == null ? null : new JobResolver(backend.jobs()).job(filter.parent()).id();
        JobQuery query = JobQuery.all()
                .limit(filter.limit() == null ? JobQuery.DEFAULT_LIMIT
                        : between("limit", 1, Control.MOST_LISTED, filter.limit()))
                .before(InputChecks.cursor(filter.cursor()));
        query = filter.states() == null ? query : query.states(checkedStates(filter.states()));
        query = filter.type() == null ? query : query.type(name("type", filter.type()));
        query = filter.queue() == null ? query : query.queue(name("queue", filter.queue()));
        query = filter.subject() == null ? query : query.subject(name("subject", filter.subject()));
        query = filter.tag() == null ? query : query.tag(name("tag", filter.tag()));
        query = parent == null ? query : query.parent(parent);
        return filter.q() == null ? query : query.where(QueryParser.parse(filter.q(), backend.now()));
    }

    /** Returns the fields of the query language; types and queues with the names that are in use. */
    List<QueryFieldView> fields() {
        List<JobCounts.Line> lines = backend.jobs().countJobs().live();
        Set<String> types = new TreeSet<>(lines.stream().map(JobCounts.Line::type).toList());
        backend.pool().ifPresent(pool -> types.addAll(pool.admin().types()));
        Set<String> queues = new TreeSet<>(lines.stream().map(JobCounts.Line::queue).toList());
        return Arrays.stream(Field.values()).map(field -> new QueryFieldView(field.word(), field.kind(),
                field.description(), field.isIndexed(), switch (field) {
                    case STATE -> Arrays.stream(JobState.values()).map(state -> state.name().toLowerCase(Locale.ROOT))
                            .toList();
                    case TYPE -> List.copyOf(types);
                    case QUEUE -> List.copyOf(queues);
                    default -> List.of();
                })).toList();
    }

    private static JobState[] checkedStates(Set<@Nullable JobState> states) {
        if (states.stream().anyMatch(state -> state == null)) {
            throw ControlException.invalid("a state must not be null");
        }
        return states.toArray(JobState[]::new);
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
