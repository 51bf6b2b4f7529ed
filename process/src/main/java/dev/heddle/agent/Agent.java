package dev.heddle.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import dev.heddle.command.Arguments;
import dev.heddle.command.Setting;
import dev.heddle.job.JobType;
import dev.heddle.template.Template;
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
 * @param prompt what it is asked, with fields of the payload; null where the payload has the prompt itself
 * @param setting where it works, what it finds there, and what is copied out
 */
public record Agent(JobType<AgentTask, AgentReport> type, Adapter adapter, Call call,
        @Nullable Template prompt,
        Setting setting, EndRules ends, OnNodeDeath onNodeDeath) {

    private static final Duration LONGEST = Duration.ofHours(1);

    /**
     * What to execute.
     *
     * @param program the program, with arguments that come before all others
     * @param model null for the agent's own choice
     * @param arguments further arguments, as they are
     */
    public record Call(List<String> program, @Nullable String model, Assignment.Limits limits,
            List<String> arguments) {
        public Call {
            program = List.copyOf(program);
            arguments = List.copyOf(arguments);
        }

        /** Fields in the further arguments are those of the payload. */
        List<String> line(Adapter adapter, @Nullable String session, boolean resumed, AgentTask task) {
            List<String> line = new ArrayList<>(program);
            line.addAll(adapter.arguments(new Assignment(session, resumed, model, limits,
                    Arguments.fill(arguments, task.payload()))));
            return line;
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
        return new Agent(JobType.of(type, AgentTask.class, AgentReport.class).timeout(LONGEST),
                found,
                new Call(program, null, Assignment.Limits.NONE, List.of()), null,
                Setting.here().allow(found.variables().toArray(String[]::new)), EndRules.standard(),
                OnNodeDeath.ADOPT);
    }

    public String name() {
        return type.name();
    }

    /** The same for jobs of another type. */
    public Agent named(String other) {
        JobType<AgentTask, AgentReport> renamed = JobType.of(other, AgentTask.class, AgentReport.class)
                .timeout(type.timeout().orElse(LONGEST));
        return new Agent(type.retry().map(renamed::retry).orElse(renamed), adapter, call, prompt, setting,
                ends,
                onNodeDeath);
    }

    /** Changes the rules of the type: retries, timeout, breaker, group. */
    public Agent type(UnaryOperator<JobType<AgentTask, AgentReport>> change) {
        return new Agent(change.apply(type), adapter, call, prompt, setting, ends, onNodeDeath);
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
        return new Agent(type, adapter, changed, prompt, setting, ends, onNodeDeath);
    }

    /** Asks this of it, with {@code {{field}}} for fields of the payload. */
    public Agent prompt(String template) {
        if (template.isBlank()) {
            throw new IllegalArgumentException("an agent needs a prompt");
        }
        return new Agent(type, adapter, call, new Template(template), setting, ends, onNodeDeath);
    }

    /** Changes where it works, and what it finds there. */
    public Agent setting(UnaryOperator<Setting> change) {
        return new Agent(type, adapter, call, prompt, change.apply(setting), ends, onNodeDeath);
    }

    public Agent directory(Path path) {
        return setting(now -> now.directory(path));
    }

    /** A git worktree for each run, made of this repository at this ref. */
    public Agent worktree(Path repository, String ref) {
        return setting(now -> now.worktree(repository, ref));
    }

    public Agent env(String variable, String value) {
        return setting(now -> now.env(variable, value));
    }

    public Agent ends(EndRules rules) {
        return new Agent(type, adapter, call, prompt, setting, rules, onNodeDeath);
    }

    public Agent onNodeDeath(OnNodeDeath policy) {
        return new Agent(type, adapter, call, prompt, setting, ends, policy);
    }
}
