package dev.heddle.cli.config;

import java.util.List;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.external.External;
import dev.heddle.external.ExternalSettings.Timing;
import dev.heddle.external.Recycling;
import dev.heddle.job.JobType;
import tools.jackson.databind.JsonNode;

/** Reads job types that run on external workers: processes that handle many jobs. */
record ExternalTypeReader(SharedTypeKeys shared) {

    static final String EXTERNAL = "external";
    private static final String EXAMPLE = "[python3, worker.py]";
    /** All keys of such a type, in the order of the documentation. */
    static final List<String> KEYS = List.of(EXTERNAL, "workers", "affinity", "recycle", "health", "handshake",
            "probeAfter", "startUps", "directory", "env", "allow", "timeout", "stallAfter", "searchable", "retries",
            "backoff",
            CallbackReader.COMPLETE, CallbackReader.FAILED);
    static final List<String> HEALTH_KEYS = List.of("every", "answer");
    static final List<String> RECYCLE_KEYS = List.of("jobs", "age", "idle", "memory");

    External<JsonNode, JsonNode> of(Entry type) {
        List<Entry> keys = type.value().entries(KEYS);
        YamlNode line = type.value().entry(EXTERNAL).orElseThrow().value();
        External<JsonNode, JsonNode> external = line.checked(() -> External
                .of(JobType.of(type.key(), JsonNode.class, JsonNode.class), line.list(ValueType.WORD, EXAMPLE))
                .in(shared.directory()));
        for (Entry key : keys) {
            External<JsonNode, JsonNode> before = external;
            external = key.value().checked(() -> with(before, key.key(), key.value()));
        }
        return external;
    }

    private External<JsonNode, JsonNode> with(External<JsonNode, JsonNode> external, String key, YamlNode value) {
        return switch (key) {
            case "workers" -> external.workers(value.as(ValueType.count(1)));
            case "affinity" -> external.affinity(value.as(ValueType.AFFINITY));
            case "recycle" -> external.recycle(recycling(value));
            case "health" -> health(external, value);
            case "handshake" -> external.handshake(value.as(ValueType.DURATION));
            case "probeAfter" -> external.probeAfter(value.as(ValueType.DURATION));
            case "startUps" -> external.startUps(value.as(ValueType.count(1)));
            case "directory" -> external.in(shared.directory().resolve(value.as(ValueType.TEXT)));
            case "env" -> env(external, value);
            case "allow" -> external.allow(value.list(ValueType.TEXT, "[HF_TOKEN]").toArray(String[]::new));
            default -> external.type(type -> shared.rules(type, key, value));
        };
    }

    private static Recycling recycling(YamlNode value) {
        Recycling recycling = Recycling.never();
        for (Entry limit : value.entries(RECYCLE_KEYS)) {
            Recycling before = recycling;
            YamlNode at = limit.value();
            recycling = at.checked(() -> switch (limit.key()) {
                case "jobs" -> before.afterJobs(at.as(ValueType.count(1)));
                case "age" -> before.afterAge(at.as(ValueType.DURATION));
                case "idle" -> before.afterIdle(at.as(ValueType.DURATION));
                default -> before.aboveMemory(at.as(ValueType.SIZE));
            });
        }
        return recycling;
    }

    private static External<JsonNode, JsonNode> health(External<JsonNode, JsonNode> external, YamlNode value) {
        value.entries(HEALTH_KEYS);
        Timing defaults = external.settings().timing();
        return external.health(
                value.entry("every").map(key -> key.value().as(ValueType.DURATION)).orElse(defaults.healthEvery()),
                value.entry("answer").map(key -> key.value().as(ValueType.DURATION)).orElse(defaults.healthAnswer()));
    }

    private static External<JsonNode, JsonNode> env(External<JsonNode, JsonNode> external, YamlNode value) {
        External<JsonNode, JsonNode> changed = external;
        for (Entry variable : value.entries()) {
            changed = changed.environment(variable.key(), variable.value().leaf().text());
        }
        return changed;
    }
}
