package dev.heddle.cli.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.heddle.agent.Adapters;
import dev.heddle.agent.Agent;
import dev.heddle.agent.Assignment;
import dev.heddle.agent.EndRules;
import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.cli.shell.Nearest;

import static dev.heddle.cli.config.TypeKeys.array;

/** Job types that are agents. */
record AgentTypes(TypeKeys shared) {

    static final String AGENT = "agent";
    /** Every key of such a type, in the order of the documentation. */
    static final List<String> KEYS = List.of(AGENT, "program", "prompt", "promptFile", "model", "arguments",
            "maxTurns",
            "maxUsd", "hangAfter", "onNodeDeath", "directory", "worktree", "env", "allow", "tools",
            "artifacts", "timeout",
            "stallAfter", "retries", "backoff", CallbackKeys.COMPLETE, CallbackKeys.FAILED);

    Agent of(Entry type, Path directory) {
        return of(type.key(), type.value(), type.value().entries(KEYS), directory);
    }

    /** An agent of a name, from keys that are all an agent's. */
    Agent of(String name, YamlNode where, List<Entry> keys, Path directory) {
        TypeKeys.check(where, keys);
        if (keys.stream().filter(key -> key.key().startsWith("prompt")).count() > 1) {
            throw where.wrong("has a prompt and a promptFile; keep one of them");
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
        String vendor = value.as(Kind.TEXT);
        List<String> known = Adapters.here().names();
        if (!known.contains(vendor)) {
            throw value.wrong("'" + vendor + "' is no agent"
                    + Nearest.hint(vendor, known, "; there are " + String.join(", ", known)));
        }
        return Agent.of(name, vendor);
    }

    private Agent with(Agent agent, String key, YamlNode value) {
        Assignment.Limits limits = agent.call().limits();
        return switch (key) {
            case "program" -> agent.program(array(value.list(Kind.WORD, "[claude]")));
            case "prompt" -> agent.prompt(value.leaf().text());
            case "promptFile" -> agent.prompt(file(value));
            case "model" -> agent.model(value.as(Kind.TEXT));
            case "arguments" ->
                agent.arguments(array(value.list(Kind.WORD, "[--permission-mode=acceptEdits]")));
            case "maxTurns" -> agent.limits(new Assignment.Limits(value.as(Kind.count(1)), limits.usd()));
            case "maxUsd" -> agent.limits(new Assignment.Limits(limits.turns(), value.as(Kind.AMOUNT)));
            case "hangAfter" -> agent.ends(new EndRules(value.as(Kind.SPAN), agent.ends().stall()));
            // It goes on with its session then, which the pool's own stall check knows nothing of.
            case "stallAfter" -> agent.ends(new EndRules(agent.ends().hang(), value.as(Kind.SPAN)));
            case "onNodeDeath" -> agent.onNodeDeath(value.as(Kind.ON_NODE_DEATH));
            default -> agent.setting(setting -> shared.setting(setting, key, value))
                    .type(type -> shared.rules(type, key, value));
        };
    }

    private String file(YamlNode value) {
        Path file = shared.directory().resolve(value.as(Kind.TEXT));
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw value.wrong("cannot be read: " + e);
        }
    }
}
