package dev.heddle.pool;

import java.time.InstantSource;
import java.util.List;

import dev.heddle.store.Store;
import tools.jackson.databind.json.JsonMapper;

/** What a pool is made of, as the builder collected it. */
record Parts(Store store, InstantSource clock, PoolSettings settings, List<Registration<?, ?>> registrations,
        List<JobListener> listeners, List<Gate> gates, JsonMapper mapper) {}
