package dev.heddle.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import dev.heddle.command.Arguments;
import dev.heddle.command.WorkspaceSpec;
import dev.heddle.job.JobType;
import dev.heddle.template.Template;
import org.jspecify.annotations.Nullable;

/**
 * A job type whose jobs are done by an LLM agent. Immutable; each method returns a changed copy.
 *
 * {@snippet :
 * Agent reviewer = Agent.of("review", "claude").directory(Path.of("/src/app")).model("sonnet");
 * pool.submit(reviewer.type(), AgentTask.of("Review the last commit."));
 * }
 *
 * @param type the job type with its name, timeout and retries; the default timeout is 10 minutes
 * @param adapter how to call this vendor's agent and parse its output
 * @param call the program and its arguments
 * @param prompt the prompt, which may contain {@code {{field}}} for fields of the payload; null if the payload
 *            contains the prompt itself
 * @param workspace where the agent works, its environment, and the artifacts to collect
 * @param endRules when a run counts as hung or stalled
 * @param onNodeDeath what happens to a run if its node dies
 */
public record Agent(JobType<AgentTask, AgentReport> type, Adapter adapter, Call call, @Nullable Template prompt,
        WorkspaceSpec workspace, EndRules endRules, OnNodeDeath onNodeDeath) {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

    /**
     * How to call the agent's program.
     *
     * @param program the program, with arguments that come before all others
     * @param model the model to use; null for the agent's default
     * @param limits limits that the agent itself enforces
     * @param arguments additional arguments, which may contain {@code {{field}}} for fields of the payload
     */
    public record Call(List<String> program, @Nullable String model, Invocation.Limits limits, List<String> arguments) {

        /** Copies the lists. */
        public Call {
            program = List.copyOf(program);
            arguments = List.copyOf(arguments);
        }

        List<String> commandLine(Adapter adapter, @Nullable String session, boolean resumed, AgentTask task) {
            List<String> line = new ArrayList<>(program);
            line.addAll(adapter.arguments(
                    new Invocation(session, resumed, model, limits, Arguments.fill(arguments, task.payload()))));
            return line;
        }
    }

    /** What happens to a run if its node dies. */
    public enum OnNodeDeath {
        /** The run continues, and the next node on the machine takes it over. Work that was paid for is not lost. */
        ADOPT,
        /** The run ends with its node. */
        KILL
    }

    /**
     * Creates an agent with the defaults of its adapter, working in the current directory. Of the node's variables, it
     * inherits only those that nearly every program needs and those of its vendor.
     *
     * @param type the name of the job type
     * @param adapter {@code claude}, {@code codex}, {@code gemini}, {@code text}, or the name of your own adapter
     * @throws IllegalArgumentException if there is no such adapter
     */
    public static Agent of(String type, String adapter) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(adapter, "adapter");
        Adapters all = Adapters.load();
        Adapter found = all.find(adapter).orElseThrow(() -> new IllegalArgumentException(
                "unknown agent '" + adapter + "'; available: " + String.join(", ", all.names())));
        List<String> program = found.program().isEmpty() ? List.of() : List.of(found.program());
        return new Agent(JobType.of(type, AgentTask.class, AgentReport.class).timeout(DEFAULT_TIMEOUT), found,
                new Call(program, null, Invocation.Limits.NONE, List.of()), null,
                WorkspaceSpec.inCurrentDirectory().inherit(WorkspaceSpec.Inherit.BASIC)
                        .allow(found.allowedVariables().toArray(String[]::new)),
                EndRules.standard(), OnNodeDeath.ADOPT);
    }

    /** Returns the name of the job type. */
    public String name() {
        return type.name();
    }

    /** Returns the same agent under another job type name, with the timeout and retries of this one. */
    public Agent named(String other) {
        JobType<AgentTask, AgentReport> renamed = JobType.of(other, AgentTask.class, AgentReport.class)
                .timeout(type.timeout().orElse(DEFAULT_TIMEOUT));
        return with(type.retry().map(renamed::retry).orElse(renamed));
    }

    /** Changes the job type: retries, timeout, circuit breaker, worker group. */
    public Agent type(UnaryOperator<JobType<AgentTask, AgentReport>> change) {
        return with(change.apply(type));
    }

    private Agent with(JobType<AgentTask, AgentReport> changed) {
        return new Agent(changed, adapter, call, prompt, workspace, endRules, onNodeDeath);
    }

    /** Calls this program instead of the adapter's default. */
    public Agent program(String... line) {
        return with(new Call(List.of(line), call.model, call.limits, call.arguments));
    }

    /** Uses this model instead of the agent's default. */
    public Agent model(String name) {
        return with(new Call(call.program, name, call.limits, call.arguments));
    }

    /** Sets limits that the agent itself enforces, if its command line supports them. */
    public Agent limits(Invocation.Limits limits) {
        return with(new Call(call.program, call.model, limits, call.arguments));
    }

    /** Sets additional arguments, which may contain {@code {{field}}} for fields of the payload. */
    public Agent arguments(String... additional) {
        return with(new Call(call.program, call.model, call.limits, List.of(additional)));
    }

    private Agent with(Call changed) {
        return new Agent(type, adapter, changed, prompt, workspace, endRules, onNodeDeath);
    }

    /** Sets the prompt, which may contain {@code {{field}}} for fields of the payload. */
    public Agent prompt(String template) {
        if (template.isBlank()) {
            throw new IllegalArgumentException("the prompt of agent '" + name() + "' is blank");
        }
        return new Agent(type, adapter, call, new Template(template), workspace, endRules, onNodeDeath);
    }

    /** Changes where the agent works, its environment, and the artifacts to collect. */
    public Agent workspace(UnaryOperator<WorkspaceSpec> change) {
        return new Agent(type, adapter, call, prompt, change.apply(workspace), endRules, onNodeDeath);
    }

    /** Works in this directory, which runs share. */
    public Agent directory(Path path) {
        return workspace(spec -> spec.directory(path));
    }

    /** Works in a git worktree per run, checked out from this repository at this ref. */
    public Agent worktree(Path repository, String ref) {
        return workspace(spec -> spec.worktree(repository, ref));
    }

    /** Sets an environment variable for the agent. */
    public Agent env(String variable, String value) {
        return workspace(spec -> spec.env(variable, value));
    }

    /** Sets when a run counts as hung or stalled. */
    public Agent endRules(EndRules rules) {
        return new Agent(type, adapter, call, prompt, workspace, rules, onNodeDeath);
    }

    /** Sets what happens to a run if its node dies; the default is {@link OnNodeDeath#ADOPT}. */
    public Agent onNodeDeath(OnNodeDeath policy) {
        return new Agent(type, adapter, call, prompt, workspace, endRules, policy);
    }
}
