package dev.heddle.control.local;

import java.util.List;
import java.util.stream.Stream;

import dev.heddle.job.Job;
import dev.heddle.query.Condition;
import dev.heddle.query.Field;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.CommandResult;
import dev.heddle.store.JobQuery;

/** Retries many dead letters at once, except those that the caller may not submit. */
record DeadLetterRetry(Backend backend, String actor, SubmissionGate gate) {

    /** Retries dead letters up to the limit of the query, and returns their number. */
    int retry(JobQuery query) {
        List<String> named = query.conditions().stream()
                .flatMap(condition -> condition instanceof Condition.Is(Field field, String type) && field == Field.TYPE
                        ? Stream.of(type) : Stream.empty())
                .toList();
        if (!named.isEmpty()) {
            named.forEach(gate::requireRetryable);
            return execute(query);
        }
        // By type, so that a job that fails only now is not retried without having been checked.
        List<String> types = backend.jobs().list(query).stream().map(Job::type).distinct().filter(gate::isRetryable)
                .toList();
        int total = 0;
        for (String type : types) {
            if (total < query.limit()) {
                total += execute(query.type(type).limit(query.limit() - total));
            }
        }
        return total;
    }

    private int execute(JobQuery query) {
        return backend.execute(
                new AdminCommand.RetryMatching(query, actor, backend.now())) instanceof CommandResult.Done(int count)
                        ? count : 0;
    }
}
