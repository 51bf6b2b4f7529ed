package dev.heddle.cli.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.control.local.ReservedNames;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.Schedule;
import dev.heddle.schedule.ScheduleRule;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads the section {@code schedules} of {@code heddle.yaml}. */
final class ScheduleReader {

    private static final List<String> KEYS = List.of("cron", "every", "zone", "missed", "overlap", "jitter", "until",
            "runs", "type", "payload", "queue", "priority", "attempts", "timeout", "tags", "subject", "headers");

    private ScheduleReader() {}

    /** Reads schedules, such as {@code nightly: {cron: "0 2 * * *", type: report}}. */
    static List<Schedule> schedules(@Nullable YamlNode section) {
        List<Schedule> schedules = new ArrayList<>();
        for (Entry entry : section == null ? List.<Entry>of() : section.entries()) {
            schedules.add(schedule(entry.key(), entry.value()));
        }
        return List.copyOf(schedules);
    }

    private static Schedule schedule(String name, YamlNode node) {
        Map<String, YamlNode> keys = new HashMap<>();
        node.entries(KEYS).forEach(entry -> keys.put(entry.key(), entry.value()));
        JobRequest<JsonNode, JsonNode> job = job(node, keys);
        ScheduleRule rule = rule(node, keys);
        Schedule schedule = node.checked(() -> Schedule.of(name, rule, job));
        for (Map.Entry<String, YamlNode> key : keys.entrySet()) {
            Schedule before = schedule;
            schedule = key.getValue().checked(() -> with(before, key.getKey(), key.getValue()));
        }
        return schedule;
    }

    private static ScheduleRule rule(YamlNode node, Map<String, YamlNode> keys) {
        YamlNode cron = keys.get("cron");
        YamlNode every = keys.get("every");
        if ((cron == null) == (every == null)) {
            throw node.wrong("must have either cron, such as \"0 2 * * *\", or every, such as 15m");
        }
        return cron != null ? cron.checked(() -> ScheduleRule.cron(cron.as(ValueType.TEXT)))
                : Objects.requireNonNull(every)
                        .checked(() -> ScheduleRule.every(every.as(ValueType.DURATION)));
    }

    private static Schedule with(Schedule schedule, String key, YamlNode value) {
        return switch (key) {
            case "zone" -> schedule.zone(value.as(ValueType.TEXT));
            case "missed" -> schedule.missed(Missed.parse(value.as(ValueType.TEXT)));
            case "overlap" -> schedule.overlap(Overlap.parse(value.as(ValueType.TEXT)));
            case "jitter" -> schedule.jitter(value.as(ValueType.DURATION));
            case "until" -> schedule.until(value.as(ValueType.INSTANT));
            case "runs" -> schedule.runs(value.as(ValueType.WHOLE));
            default -> schedule;
        };
    }

    private static JobRequest<JsonNode, JsonNode> job(YamlNode node, Map<String, YamlNode> keys) {
        YamlNode type = keys.get("type");
        if (type == null) {
            throw node.wrong("has no type; add the type of the jobs to submit, such as type: report");
        }
        String name = type.as(ValueType.WORD);
        if (ReservedNames.isReservedType(name)) {
            throw type.wrong("is reserved; use a type of this file, or a built-in one");
        }
        YamlNode payload = keys.get("payload");
        JobRequest<JsonNode, JsonNode> job = type
                .checked(() -> JobType.of(name, JsonNode.class, JsonNode.class))
                .with(payload == null ? JsonNodeFactory.instance.objectNode() : payload.json());
        for (Map.Entry<String, YamlNode> key : keys.entrySet()) {
            JobRequest<JsonNode, JsonNode> before = job;
            job = key.getValue().checked(() -> with(before, key.getKey(), key.getValue()));
        }
        return job;
    }

    private static JobRequest<JsonNode, JsonNode> with(JobRequest<JsonNode, JsonNode> job, String key,
            YamlNode value) {
        return switch (key) {
            case "queue" -> job.queue(value.as(ValueType.TEXT));
            case "priority" -> job.priority(value.as(ValueType.WHOLE));
            case "attempts" -> job.maxRetries(value.as(ValueType.WHOLE) - 1);
            case "timeout" -> job.timeout(value.as(ValueType.DURATION));
            case "tags" -> job.tags(value.list(ValueType.TEXT, "[nightly, sales]").toArray(String[]::new));
            case "subject" -> job.subject(value.as(ValueType.TEXT));
            case "headers" -> {
                Map<String, String> headers = new HashMap<>();
                value.entries().forEach(entry -> headers.put(entry.key(), entry.value().as(ValueType.TEXT)));
                yield job.headers(headers);
            }
            default -> job;
        };
    }
}
