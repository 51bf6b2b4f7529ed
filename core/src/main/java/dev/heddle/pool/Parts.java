package dev.heddle.pool;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import dev.heddle.store.Store;
import dev.heddle.worker.Workforce;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What a pool is made of, as the builder collected it. */
record Parts(Store store, InstantSource clock, PoolSettings settings, List<Registration<?, ?>> registrations,
        Map<String, Workforce> workforces, List<JobListener> listeners,
        Map<String, Sequel> sequels, List<Gate> gates,
        @Nullable Custodian custodian, JsonMapper mapper) {}
