package dev.heddle.cli.config;

import java.util.Map;
import java.util.TreeMap;

import dev.heddle.agent.Agent;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.WorkspaceSpec;
import dev.heddle.command.WorkspaceSpec.Location;
import dev.heddle.limit.Limit;

/**
 * Describes the configuration of a node, so that nodes can be compared. Values that may contain secrets, such as command
 * lines, are shown as fingerprints, and of variables only the names.
 */
public final class ConfigSummary {

    private ConfigSummary() {}

    /** Returns the settings that the pool does not know, by name. */
    public static Map<String, String> of(Config config) {
        Map<String, String> settings = new TreeMap<>();
        config.types().commands().forEach(command -> add(command, settings));
        config.types().agents().forEach(agent -> add(agent, settings));
        config.types().external().forEach(external -> {
            String prefix = "type " + external.type().name();
            settings.put(prefix + ": kind", "external");
            settings.put(prefix + ": command", fingerprint(external.settings().command()));
        });
        config.schedules().forEach(schedule -> settings.put("schedule " + schedule.name(),
                String.valueOf(schedule.rule())));
        config.pool().limits().forEach(limit -> settings.put("limit " + limit.name(), text(limit)));
        return settings;
    }

    private static void add(CommandSpec command, Map<String, String> settings) {
        String prefix = "type " + command.type().name();
        settings.put(prefix + ": kind", "command");
        settings.put(prefix + ": command", fingerprint(command.steps()));
        add(prefix, command.workspace(), settings);
    }

    private static void add(Agent agent, Map<String, String> settings) {
        String prefix = "type " + agent.name();
        settings.put(prefix + ": kind", "agent " + agent.adapter().name());
        settings.put(prefix + ": command", fingerprint(agent.call().program() + " " + agent.call().arguments()));
        if (agent.call().model() != null) {
            settings.put(prefix + ": model", agent.call().model());
        }
        if (agent.prompt() != null) {
            settings.put(prefix + ": prompt", fingerprint(agent.prompt()));
        }
        add(prefix, agent.workspace(), settings);
    }

    private static void add(String prefix, WorkspaceSpec workspace, Map<String, String> settings) {
        if (workspace.location() instanceof Location.Worktree(var repository, String ref)) {
            settings.put(prefix + ": worktree", repository + " at " + ref);
        }
        if (!workspace.environment().variables().isEmpty()) {
            settings.put(prefix + ": env",
                    String.join(", ", workspace.environment().variables().keySet().stream().sorted().toList()));
        }
    }

    private static String text(Limit limit) {
        return (limit.maxConcurrent() == null ? "" : limit.maxConcurrent() + " at once")
                + (limit.rate() == null ? "" : (limit.maxConcurrent() == null ? "" : ", ") + limit.rate());
    }

    /** Tells values apart for people; nothing depends on it. */
    private static String fingerprint(Object value) {
        return "#" + Integer.toHexString(value.toString().hashCode());
    }
}
