package dev.heddle.engine.schedule;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JsonMappers;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.Schedule;
import dev.heddle.schedule.ScheduleRule;
import dev.heddle.schedule.ScheduleStatus.Definition;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The definition of a schedule as JSON.
 *
 * @param payload the payload of the job, JSON within JSON: so it stays as it was written
 * @param options the options of the job that are set. They are stored as {@link JobSpec.Extras} has them, so a new
 *     option needs nothing here
 */
record StoredDefinition(String rule, String zone, String missed, String overlap, Duration jitter,
        @Nullable Instant until, @Nullable Integer runs, String type, String queue, int priority, String payload,
        JsonNode options) {

    private static final JsonMapper MAPPER = JsonMappers.standard().rebuild()
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();
    private static final JobId ANY = new JobId(new UUID(0, 0));

    /**
     * Returns the definition of a schedule.
     *
     * @param job the job of each run, with the limits that cover it now
     */
    static StoredDefinition of(Schedule schedule, JobSpec job) {
        return new StoredDefinition(schedule.rule().toString(), schedule.zone().getId(), schedule.missed().toString(),
                schedule.overlap().toString(), schedule.jitter(), schedule.until().orElse(null),
                schedule.runs().orElse(null), job.type(), job.queue(), job.priority(), job.payload(),
                optionsOf(job.extras()));
    }

    private static ObjectNode optionsOf(JobSpec.Extras extras) {
        ObjectNode defaults = MAPPER.valueToTree(JobSpec.Extras.NONE);
        ObjectNode options = MAPPER.valueToTree(extras);
        defaults.propertyNames().forEach(name -> {
            if (defaults.get(name).equals(options.get(name))) {
                options.remove(name);
            }
        });
        if (options.get("tags") instanceof ArrayNode) {
            // A set has no order, and the fingerprint needs one.
            ArrayNode sorted = options.putArray("tags");
            extras.tags().stream().sorted().forEach(sorted::add);
        }
        return options;
    }

    /**
     * Returns what it means.
     *
     * @throws IllegalArgumentException if this Heddle does not understand it
     */
    Definition toDefinition() {
        ObjectNode all = MAPPER.valueToTree(JobSpec.Extras.NONE);
        all.setAll((ObjectNode) options);
        JobSpec job = new JobSpec(ANY, type, queue, priority, payload, Instant.EPOCH,
                MAPPER.treeToValue(all, JobSpec.Extras.class));
        return new Definition(ScheduleRule.parse(rule), Schedule.zoneOf(zone), Missed.parse(missed),
                Overlap.parse(overlap), jitter, until, runs, job);
    }

    /** Returns the job of a run. */
    static JobSpec jobOf(String schedule, JobSpec template, JobId id, Instant time, Instant now) {
        JobSpec.Extras options = template.extras();
        Map<String, String> headers = new HashMap<>(options.headers());
        headers.put(Schedule.NAME_HEADER, schedule);
        headers.put(Schedule.TIME_HEADER, time.toString());
        return new JobSpec(id, template.type(), template.queue(), template.priority(), template.payload(), now,
                options.withHeaders(headers));
    }

    /** Returns a hash of everything in it, the same in every JVM. */
    String fingerprint() {
        try {
            byte[] text = Arrays
                    .asList(rule, zone, missed, overlap, jitter, until, runs, type, queue, priority, payload,
                            MAPPER.writeValueAsString(options))
                    .toString().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
