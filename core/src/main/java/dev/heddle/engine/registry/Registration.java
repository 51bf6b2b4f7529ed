package dev.heddle.engine.registry;

import java.time.Duration;
import java.util.Optional;

import dev.heddle.engine.support.UserCode;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.FailureClassifier;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.PoolSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/** A job type with its handler. Falls back to the pool's settings for options that the type does not set. */
public record Registration<P, R>(JobType<P, R> type, Handling<P, R> handling, PoolSettings settings) {

    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);

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
     * failures. A classifier that throws or returns null does not know the failure.
     */
    public FailureCategory categoryOf(Throwable failure) {
        return type.classifier().flatMap(own -> ask(own, failure))
                .or(() -> FailureClassifier.standard().classify(failure)).orElse(settings.unknownFailures());
    }

    private Optional<FailureCategory> ask(FailureClassifier own, Throwable failure) {
        return UserCode.call(() -> requireNonNull(own.classify(failure), "classify() returned null"), Optional.empty(),
                e -> LOG.warn("The classifier of job type '{}' failed; the standard one decides", type, e));
    }
}
