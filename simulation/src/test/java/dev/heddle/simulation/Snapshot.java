package dev.heddle.simulation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.store.JobCounts;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.JobReader;
import dev.heddle.store.NodeRecord;

/**
 * Finds jobs as they were at one moment, while nodes go on. If each were read by itself, jobs that were there one after
 * the other would seem to be there at the same time.
 */
final class Snapshot implements JobReader {

    private final JobReader store;
    private final Map<JobId, Job> jobs;

    private Snapshot(JobReader store, Map<JobId, Job> jobs) {
        this.store = store;
        this.jobs = jobs;
    }

    /** Reads all jobs, with one statement. */
    static Snapshot of(JobReader store) {
        return new Snapshot(store, store.list(JobQuery.all().limit(Integer.MAX_VALUE)).stream()
                .collect(Collectors.toMap(Job::id, Function.identity())));
    }

    @Override
    public Optional<Job> find(JobId id) {
        return Optional.ofNullable(jobs.get(id));
    }

    @Override
    public List<Job> list(JobQuery query) {
        return store.list(query);
    }

    @Override
    public Optional<JobDetails> details(JobId id) {
        return store.details(id);
    }

    @Override
    public JobCounts countJobs() {
        return store.countJobs();
    }

    @Override
    public List<NodeRecord> nodes() {
        return store.nodes();
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return store.capability(type);
    }
}
