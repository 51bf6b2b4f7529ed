package dev.heddle.cli.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.heddle.agent.Adapters;
import dev.heddle.agent.Agent;
import dev.heddle.agent.EndRules;
import dev.heddle.agent.Invocation;
import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.cli.shell.DidYouMean;

import static dev.heddle.cli.config.SharedTypeKeys.array;

/** Reads job types that run agents. */
record AgentTypeReader(SharedTypeKeys shared) {

    static final String AGENT = "agent";
    /** All keys of such a type, in the order of the documentation. */
    static final List<String> KEYS = List.of(AGENT, "program", "prompt", "promptFile", "model", "arguments", "maxTurns",
            "maxUsd", "hangAfter", "onNodeDeath", "directory", "worktree", "env", "inherit", "allow", "tools",
            "runAs", "isolation", "sandbox", "spawns", "artifacts",
            "timeout", "stallAfter", "searchable", "retries", "backoff", CallbackReader.COMPLETE,
            CallbackReader.FAILED);

    Agent of(Entry type, Path directory) {
        return of(type.key(), type.value(), type.value().entries(KEYS), directory);
    }

    /** Reads an agent with the given name from keys that all belong to agents. */
    Agent of(String name, YamlNode where, List<Entry> keys, Path directory) {
        SharedTypeKeys.check(where, keys);
        if (keys.stream().filter(key -> key.key().startsWith("prompt")).count() > 1) {
            throw where.wrong("has both prompt and promptFile; keep one");
        }
        Entry vendor = keys.stream().filter(key -> key.key().equals(AGENT)).findFirst().orElseThrow();
        Agent agent = vendor(name, vendor.value()).directory(directory);
        for (Entry key : keys) {
            Agent before = agent;
            agent = key.value().checked(() -> with(before, key.key(), key.value()));
        }
        if (agent.call().program().isEmpty()) {
            throw where.wrong("has no program; add one, such as program: [my-agent, --quiet]");
        }
        return agent;
    }

    private static Agent vendor(String name, YamlNode value) {
        String vendor = value.as(ValueType.TEXT);
        List<String> known = Adapters.load().names();
        if (!known.contains(vendor)) {
            throw value.wrong("'" + vendor + "' is not an agent"
                    + DidYouMean.hint(vendor, known, "; use one of " + String.join(", ", known)));
        }
        return Agent.of(name, vendor);
    }

    private Agent with(Agent agent, String key, YamlNode value) {
        Invocation.Limits limits = agent.call().limits();
        return switch (key) {
            case "program" -> agent.program(array(value.list(ValueType.WORD, "[claude]")));
            case "prompt" -> agent.prompt(value.leaf().text());
            case "promptFile" -> agent.prompt(file(value));
            case "model" -> agent.model(value.as(ValueType.TEXT));
            case "arguments" -> agent.arguments(array(value.list(ValueType.WORD, "[--permission-mode=acceptEdits]")));
            case "maxTurns" -> agent.limits(new Invocation.Limits(value.as(ValueType.count(1)), limits.usd()));
            case "maxUsd" -> agent.limits(new Invocation.Limits(limits.turns(), value.as(ValueType.AMOUNT)));
            case "hangAfter" ->
                agent.endRules(new EndRules(value.as(ValueType.DURATION), agent.endRules().stallTimeout()));
            // Not the stall check of the pool: an agent resumes its session.
            case "stallAfter" ->
                agent.endRules(new EndRules(agent.endRules().hangTimeout(), value.as(ValueType.DURATION)));
            case "onNodeDeath" -> agent.onNodeDeath(value.as(ValueType.ON_NODE_DEATH));
            default -> agent.workspace(setting -> shared.setting(setting, key, value))
                    .type(type -> shared.rules(type, key, value));
        };
    }

    private String file(YamlNode value) {
        Path file = shared.directory().resolve(value.as(ValueType.TEXT));
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw value.wrong("cannot be read: " + e);
        }
    }
}
