package dev.heddle.cli.config;

import java.util.List;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.external.External;
import dev.heddle.external.ExternalSettings.Timing;
import dev.heddle.external.Recycling;
import dev.heddle.job.JobType;
import tools.jackson.databind.JsonNode;

/** A type of {@code heddle.yaml} whose jobs are done by processes that stay. */
record ExternalType(TypeKeys shared) {

    static final String EXTERNAL = "external";
    private static final String LINE = "[python3, worker.py]";
    /** Every key of such a type, in the order of the documentation. */
    static final List<String> KEYS = List.of(EXTERNAL, "workers", "affinity", "recycle", "health",
            "handshake",
            "probeAfter", "startUps", "directory", "env", "allow", "timeout", "stallAfter", "retries",
            "backoff", CallbackKeys.COMPLETE, CallbackKeys.FAILED);
    static final List<String> HEALTH_KEYS = List.of("every", "answer");
    static final List<String> RECYCLE_KEYS = List.of("jobs", "age", "idle", "memory");

    External<JsonNode, JsonNode> of(Entry type) {
        List<Entry> keys = type.value().entries(KEYS);
        YamlNode line = type.value().entry(EXTERNAL).orElseThrow().value();
        External<JsonNode, JsonNode> external = line
                .checked(() -> External.of(JobType.of(type.key(), JsonNode.class, JsonNode.class),
                        line.list(Kind.WORD, LINE)).in(shared.directory()));
        for (Entry key : keys) {
            External<JsonNode, JsonNode> before = external;
            external = key.value().checked(() -> with(before, key.key(), key.value()));
        }
        return external;
    }

    private External<JsonNode, JsonNode> with(External<JsonNode, JsonNode> external, String key,
            YamlNode value) {
        return switch (key) {
            case "workers" -> external.workers(value.as(Kind.count(1)));
            case "affinity" -> external.affinity(value.as(Kind.AFFINITY));
            case "recycle" -> external.recycle(recycling(value));
            case "health" -> health(external, value);
            case "handshake" -> external.handshake(value.as(Kind.SPAN));
            case "probeAfter" -> external.probeAfter(value.as(Kind.SPAN));
            case "startUps" -> external.startUps(value.as(Kind.count(1)));
            case "directory" -> external.in(shared.directory().resolve(value.as(Kind.TEXT)));
            case "env" -> env(external, value);
            case "allow" -> external.allow(value.list(Kind.TEXT, "[HF_TOKEN]").toArray(String[]::new));
            default -> external.type(type -> shared.rules(type, key, value));
        };
    }

    private static Recycling recycling(YamlNode value) {
        Recycling recycling = Recycling.never();
        for (Entry limit : value.entries(RECYCLE_KEYS)) {
            Recycling before = recycling;
            YamlNode at = limit.value();
            recycling = at.checked(() -> switch (limit.key()) {
                case "jobs" -> before.afterJobs(at.as(Kind.count(1)));
                case "age" -> before.afterAge(at.as(Kind.SPAN));
                case "idle" -> before.afterIdle(at.as(Kind.SPAN));
                default -> before.aboveMemory(at.as(Kind.SIZE));
            });
        }
        return recycling;
    }

    private static External<JsonNode, JsonNode> health(External<JsonNode, JsonNode> external,
            YamlNode value) {
        value.entries(HEALTH_KEYS);
        Timing usual = external.settings().timing();
        return external.health(
                value.entry("every").map(key -> key.value().as(Kind.SPAN)).orElse(usual.healthEvery()),
                value.entry("answer").map(key -> key.value().as(Kind.SPAN)).orElse(usual.healthAnswer()));
    }

    private static External<JsonNode, JsonNode> env(External<JsonNode, JsonNode> external, YamlNode value) {
        External<JsonNode, JsonNode> changed = external;
        for (Entry variable : value.entries()) {
            changed = changed.environment(variable.key(), variable.value().leaf().text());
        }
        return changed;
    }
}
