package dev.heddle.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;

/**
 * A job type whose jobs are done by an agent. Immutable; each method gives a changed copy.
 *
 * {@snippet :
 * Agent reviewer = Agent.of("review", "claude").directory(Path.of("/src/app")).model("sonnet");
 * pool.submit(reviewer.type(), AgentTask.of("Review the last commit."));
 * }
 *
 * @param type its name, and the rules that its jobs run by; a job may take an hour unless told otherwise
 * @param call what to execute
 * @param place where
 */
public record Agent(JobType<AgentTask, AgentReport> type, Adapter adapter, Call call, Place place, EndRules ends,
        OnNodeDeath onNodeDeath) {

    /**
     * What to execute.
     *
     * @param program the program, with arguments that come before all others
     * @param model null for the agent's own choice
     * @param arguments further arguments, as they are
     */
    public record Call(List<String> program, @Nullable String model, Assignment.Limits limits, List<String> arguments) {
        public Call {
            program = List.copyOf(program);
            arguments = List.copyOf(arguments);
        }

        List<String> line(Adapter adapter, @Nullable String session, boolean resumed) {
            List<String> line = new ArrayList<>(program);
            line.addAll(adapter.arguments(new Assignment(session, resumed, model, limits, arguments)));
            return line;
        }
    }

    /**
     * Where an agent works.
     *
     * @param environment set for it, over what it inherits
     */
    public record Place(Path directory, Map<String, String> environment) {
        public Place {
            directory = directory.toAbsolutePath().normalize();
            environment = Map.copyOf(environment);
        }
    }

    /** What becomes of a run whose node ends. */
    public enum OnNodeDeath {
        /** It goes on, and the next node on the machine takes it over: what was paid for is not thrown away. */
        ADOPT,
        /** It ends. */
        KILL
    }

    /**
     * An agent with the defaults of its adapter.
     *
     * @param adapter claude, codex, gemini, text, or one of your own
     * @throws IllegalArgumentException where there is no such adapter
     */
    public static Agent of(String type, String adapter) {
        Adapters all = Adapters.here();
        Adapter found = all.find(adapter).orElseThrow(() -> new IllegalArgumentException(
                "there is no agent '" + adapter + "'; there are " + String.join(", ", all.names())));
        List<String> program = found.program().isEmpty() ? List.of() : List.of(found.program());
        return new Agent(JobType.of(type, AgentTask.class, AgentReport.class).timeout(Duration.ofHours(1)), found,
                new Call(program, null, Assignment.Limits.NONE, List.of()), new Place(Path.of(""), Map.of()),
                EndRules.standard(), OnNodeDeath.ADOPT);
    }

    public String name() {
        return type.name();
    }

    /** Changes the rules of the type: retries, timeout, breaker, group. */
    public Agent type(UnaryOperator<JobType<AgentTask, AgentReport>> change) {
        return new Agent(change.apply(type), adapter, call, place, ends, onNodeDeath);
    }

    /** Calls this instead of the adapter's own program. */
    public Agent program(String... line) {
        return with(new Call(List.of(line), call.model, call.limits, call.arguments));
    }

    public Agent model(String name) {
        return with(new Call(call.program, name, call.limits, call.arguments));
    }

    /** Bounds that the agent itself keeps. */
    public Agent limits(Assignment.Limits bounds) {
        return with(new Call(call.program, call.model, bounds, call.arguments));
    }

    public Agent arguments(String... further) {
        return with(new Call(call.program, call.model, call.limits, List.of(further)));
    }

    private Agent with(Call changed) {
        return new Agent(type, adapter, changed, place, ends, onNodeDeath);
    }

    public Agent directory(Path path) {
        return new Agent(type, adapter, call, new Place(path, place.environment), ends, onNodeDeath);
    }

    public Agent env(String variable, String value) {
        Map<String, String> more = new LinkedHashMap<>(place.environment);
        more.put(variable, value);
        return new Agent(type, adapter, call, new Place(place.directory, more), ends, onNodeDeath);
    }

    public Agent ends(EndRules rules) {
        return new Agent(type, adapter, call, place, rules, onNodeDeath);
    }

    public Agent onNodeDeath(OnNodeDeath policy) {
        return new Agent(type, adapter, call, place, ends, policy);
    }
}
