package dev.heddle.engine;

import java.util.List;
import java.util.Map;

import dev.heddle.engine.registry.Registration;
import dev.heddle.env.Environment;
import dev.heddle.pool.DetachedWork;
import dev.heddle.pool.Gate;
import dev.heddle.pool.JobListener;
import dev.heddle.pool.PoolSettings;
import dev.heddle.pool.Sequel;
import dev.heddle.store.Store;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What a pool is made of, as collected by its builder. */
public record NodeParts(Store store, Environment env, PoolSettings settings, List<Registration<?, ?>> registrations,
        Map<String, Workforce> workforces, List<JobListener> listeners, Map<String, Sequel> sequels, List<Gate> gates,
        @Nullable DetachedWork detachedWork, JsonMapper mapper, Map<String, String> description) {}
