package dev.heddle.engine.registry;

import java.time.Duration;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.FailureClassifier;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.PoolSettings;

/** A job type with its handler. Falls back to the pool's settings for options that the type does not set. */
public record Registration<P, R>(JobType<P, R> type, Handling<P, R> handling, PoolSettings settings) {

    /** Returns the retry policy of the type. */
    public RetryPolicy retry() {
        return type.retry().orElse(settings.retry());
    }

    /** Returns how long an attempt may run. */
    public Duration timeout() {
        return type.timeout().orElse(settings.timeout());
    }

    /** Returns the worker group that runs the type. */
    public String group() {
        return type.group().orElse(PoolSettings.DEFAULT_GROUP);
    }

    /**
     * Classifies a failure: by the type's classifier, then the standard one, then the pool's setting for unknown
     * failures.
     */
    public FailureCategory categoryOf(Throwable failure) {
        FailureClassifier standard = FailureClassifier.standard();
        return type.classifier().map(own -> own.orElse(standard)).orElse(standard).classify(failure)
                .orElse(settings.unknownFailures());
    }
}
