package dev.heddle.control.local;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.pool.HoldReasons;
import dev.heddle.query.Condition;
import dev.heddle.query.Field;
import dev.heddle.store.JobQuery;
import dev.heddle.store.JobReader;

/**
 * Finds what is shown as PAUSED: jobs that someone paused, and queued jobs that a budget or another reason holds back
 * now. The store has the latter as QUEUED, so they are looked up by the types and tags that are held.
 */
record HeldJobs(JobReader jobs, HoldReasons held) {

    /** Returns whether a query asks for paused jobs. Queued ones include those that are held. */
    static boolean isMeant(JobQuery query) {
        return query.conditions().stream().anyMatch(condition -> condition instanceof Condition.InState(var states)
                && states.contains(JobState.PAUSED) && !states.contains(JobState.QUEUED));
    }

    List<Job> listPaused(JobQuery query) {
        TreeMap<Long, Job> found = new TreeMap<>(Comparator.reverseOrder());
        queries(query).forEach(each -> jobs.list(each).forEach(job -> found.put(job.seq(), job)));
        return found.values().stream().limit(query.limit()).toList();
    }

    /** Each has the cursor and the limit of the whole, so the newest of all results make a page of it. */
    private List<JobQuery> queries(JobQuery query) {
        List<JobQuery> queries = new ArrayList<>(List.of(query));
        JobQuery queued = query.states(JobState.QUEUED);
        held.types().keySet().forEach(type -> queries.add(queued.where(new Condition.Is(Field.TYPE, type))));
        held.tags().forEach((type, tags) -> tags.keySet().forEach(tag -> queries
                .add(queued.where(new Condition.Is(Field.TYPE, type)).where(new Condition.Is(Field.TAG, tag)))));
        return queries;
    }
}
