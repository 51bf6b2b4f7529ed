package dev.heddle.simulation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.store.JobQuery;
import dev.heddle.store.JobReader;

/**
 * Finds jobs as they were at one moment, while nodes go on. If each were read by itself, jobs that were there one after
 * the other would seem to be there at the same time.
 */
final class Snapshot {

    private final JobReader store;
    private final Map<JobId, Job> jobs;

    private Snapshot(JobReader store, Map<JobId, Job> jobs) {
        this.store = store;
        this.jobs = jobs;
    }

    /** Reads all jobs, with one statement. What is not found by its id is read from the store when it is asked for. */
    static JobReader of(JobReader store) {
        Snapshot snapshot = new Snapshot(store, store.list(JobQuery.all().limit(Integer.MAX_VALUE)).stream()
                .collect(Collectors.toMap(Job::id, Function.identity())));
        return (JobReader) Proxy.newProxyInstance(Snapshot.class.getClassLoader(), new Class<?>[]{JobReader.class},
                (_, method, arguments) -> snapshot.read(method, arguments));
    }

    private Object read(Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("find")) {
            return Optional.ofNullable(jobs.get((JobId) arguments[0]));
        }
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
