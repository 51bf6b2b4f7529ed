package dev.heddle.engine.submit;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.heddle.env.Environment;
import dev.heddle.job.DurationText;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitRules;
import dev.heddle.limit.LimitStore;
import dev.heddle.store.NewJob;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits that cover new jobs. They are read again at most once a second, and only if jobs are submitted: a limit
 * that another process sets covers the jobs that are submitted here a second later. While the store cannot be read, the
 * last known limits count: a job that follows another would be lost if its limits could not be told.
 */
public final class CurrentLimits {

    private static final Duration MAX_AGE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(CurrentLimits.class);

    private final Optional<LimitStore> store;
    private final Environment env;
    private volatile @Nullable Read last;

    private record Read(LimitRules rules, Duration at) {}

    public CurrentLimits(Store store, Environment env) {
        this.store = store.capability(LimitStore.class);
        this.env = env;
    }

    /**
     * Returns the job with the keys of the limits that cover it.
     *
     * @throws IllegalArgumentException if it names a limit that does not exist, or if a key cannot be stored
     */
    public JobSpec cover(JobSpec job) {
        LimitRules rules = rules();
        boolean unknown = job.limits().stream().anyMatch(key -> rules.find(key.limit()) == null);
        return (unknown ? read() : rules).cover(job);
    }

    /** Returns the jobs that have to be cancelled to make room for new ones, each with the key that lacks room. */
    Map<JobId, LimitKey> excess(List<NewJob> stored) {
        Map<JobId, LimitKey> excess = new LinkedHashMap<>();
        for (LimitKey key : stored.stream().flatMap(job -> job.spec().limits().stream()).distinct().toList()) {
            Limit limit = rules().find(key.limit());
            if (limit != null && limit.whenFull() == Limit.WhenFull.CANCEL_RUNNING) {
                store.ifPresent(limits -> limits.excessJobs(key).forEach(id -> excess.put(id, key)));
            }
        }
        return excess;
    }

    private LimitRules rules() {
        Read known = last;
        if (known == null) {
            return read();
        }
        if (env.elapsed().minus(known.at).compareTo(MAX_AGE) < 0) {
            return known.rules;
        }
        try {
            return read();
        } catch (StoreException e) {
            LOG.debug("Could not read the limits; going on with those of {} ago: {}",
                    DurationText.of(env.elapsed().minus(known.at)), e.getMessage());
            return known.rules;
        }
    }

    /** Reads the limits now. Called when a node opens, and when this process has changed them. */
    public LimitRules read() {
        Duration at = env.elapsed();
        LimitRules rules = store.map(limits -> new LimitRules(limits.limits())).orElse(LimitRules.NONE);
        last = new Read(rules, at);
        return rules;
    }
}
