package dev.heddle.agent;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import dev.heddle.agent.Agent.OnNodeDeath;
import dev.heddle.command.Workspace;
import dev.heddle.command.WorkspaceSpec;
import dev.heddle.conversation.Tokens;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Output;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at an agent's job. Starting an agent costs money, so an attempt first looks for what an earlier attempt,
 * or a node that died, left on this machine:
 *
 * <ol>
 * <li>A run that is still going, or that ended unnoticed, is taken over.
 * <li>A session that broke off is resumed.
 * <li>Only if there is neither does a new session start.
 * </ol>
 */
final class AgentAttempt {

    private final AgentRuntime runtime;
    private final Agent agent;
    private final AgentTask task;
    private final JobContext job;
    private final WorkspaceSpec spec;

    AgentAttempt(AgentRuntime runtime, Agent agent, AgentTask task, JobContext job) {
        this.runtime = runtime;
        this.agent = agent;
        this.task = task;
        this.job = job;
        WorkspaceSpec resolved = agent.workspace().resolve(task.payload());
        this.spec = task.continuation().map(continued -> continued.workspace(resolved)).orElse(resolved);
    }

    AgentReport run() throws IOException {
        Optional<AgentFiles> last = AgentFiles.list(runtime.home(), job.id()).stream().findFirst();
        if (last.isEmpty()) {
            return start(null);
        }
        AgentFiles files = last.get();
        Optional<AgentReport> reported = files.report();
        Optional<AgentProcess> process = reported.isPresent() ? Optional.empty() : AgentProcess.find(files.directory());
        if (process.isPresent()) {
            job.log().info("Took over the run that attempt {} started", files.attempt());
            return monitor(files).follow(process.get());
        }
        AgentReport report = reported.isPresent() && !files.run().isUnfinished() ? reported.get()
                : monitor(files).settle(reported.orElse(null));
        if (report.reason() == null) {
            job.log().info("The run of attempt {} succeeded, but its node died before it stored the result",
                    files.attempt());
            return report;
        }
        if (files.attempt() == job.attempt()) {
            throw monitor(files).failure(report);
        }
        return start(isResumable(report) ? report : null);
    }

    /** The agent itself has printed its session, and what it prints is not to be trusted. */
    private static boolean isResumable(AgentReport report) {
        return report.session() != null && Invocation.isSessionId(report.session()) && report.reason() != null
                && report.reason().isResumable();
    }

    private AgentMonitor monitor(AgentFiles files) {
        Workspace workspace = runtime.commands().reopenWorkspace(spec, job, files.attempt());
        workspace.reattach();
        return new AgentMonitor(runtime, agent, job, workspace);
    }

    private AgentReport start(@Nullable AgentReport interrupted) throws IOException {
        String taskPrompt = task.prompt(agent.prompt());
        String prompt = interrupted == null ? taskPrompt
                : "You were interrupted. Continue with your task, which was:\n\n" + taskPrompt;
        String session = interrupted != null ? interrupted.session() : task.session().orElse(null);
        boolean resumed = session != null;
        if (resumed && !agent.adapter().resumesSessions()) {
            throw JobException.permanent("agent '" + agent.adapter().name()
                    + "' cannot resume a session; submit a new job instead");
        }
        task.continuation().ifPresent(Continuation::requireMachine);
        if (session == null && agent.adapter().acceptsSessionId()) {
            session = UUID.randomUUID().toString();
        }
        Workspace workspace = runtime.commands().openWorkspace(spec, job);
        AgentFiles files = new AgentFiles(workspace.files());
        AgentProcess process;
        Tokens usedBefore = usedBefore(interrupted);
        try {
            workspace.prepare();
            files.writeStart(prompt, new AgentFiles.Start(agent.adapter().name(), agent.call().model(),
                    runtime.clock().instant(), usedBefore));
            runtime.budgets().recordStart(job.id(), job.attempt(), agent.name(), job.tags());
            process = launch(workspace, files, session, resumed);
        } catch (LaunchException e) {
            workspace.close(e.kind().exitCode(), null);
            throw Workspace.toJobException(e);
        } catch (IOException | RuntimeException e) {
            workspace.close(null, null);
            throw e;
        }
        job.log().info("Started {}{}", agent.call().program(), resumed ? ", resuming session " + session : "");
        return new AgentMonitor(runtime, agent, job, workspace).follow(process);
    }

    private Tokens usedBefore(@Nullable AgentReport interrupted) {
        return interrupted == null
                ? task.continuation().map(continued -> continued.used(runtime.home())).orElse(Tokens.NONE)
                : Objects.requireNonNullElse(interrupted.ofSession(), Tokens.NONE);
    }

    private AgentProcess launch(Workspace workspace, AgentFiles files, @Nullable String session, boolean resumed)
            throws IOException {
        Launch launch = workspace.launch(agent.call().commandLine(agent.adapter(), session, resumed, task), Map.of())
                .input(Input.from(files.prompt())).output(Output.to(files.transcript().file()))
                .errors(Output.to(workspace.files().stderr()));
        if (agent.onNodeDeath() == OnNodeDeath.KILL) {
            return AgentProcess.bound(runtime.commands().processes().start(launch));
        }
        // The order matters. The local mark comes first: any run that the store reserves for this machine can be found
        // here. The process comes last: no process outlives its node without a reservation.
        workspace.markOutlivesNode();
        job.detachFromNode();
        return AgentProcess.detached(files.directory(), launch, job.timeLeft());
    }
}
