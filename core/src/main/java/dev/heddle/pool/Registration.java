package dev.heddle.pool;

import java.time.Duration;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.FailureClassifier;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;

/** A job type with its handler, and the pool's settings where the type has none of its own. */
record Registration<P, R>(JobType<P, R> type, Handling<P, R> handling, PoolSettings settings) {

    RetryPolicy retry() {
        return type.retry().orElse(settings.retry());
    }

    Duration timeout() {
        return type.timeout().orElse(settings.timeout());
    }

    String group() {
        return type.group().orElse(PoolSettings.DEFAULT_GROUP);
    }

    FailureCategory categoryOf(Throwable failure) {
        FailureClassifier standard = FailureClassifier.standard();
        return type.classifier().map(own -> own.orElse(standard)).orElse(standard).classify(failure)
                .orElse(settings.unknownFailures());
    }
}
