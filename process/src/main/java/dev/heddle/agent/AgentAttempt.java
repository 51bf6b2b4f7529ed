package dev.heddle.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.heddle.agent.Agent.OnNodeDeath;
import dev.heddle.command.Setting;
import dev.heddle.command.Site;
import dev.heddle.conversation.Tokens;
import dev.heddle.job.JobContext;
import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Output;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at an agent's job. Before it starts an agent it looks for what it, on a node that has ended, or an earlier
 * attempt has left on this machine: a run that goes on, or has ended and nobody took note, is taken over; a session that
 * broke off goes on. Only where there is neither is there something to pay for anew.
 */
final class AgentAttempt {

    private final Agents agents;
    private final Agent agent;
    private final AgentTask task;
    private final JobContext job;
    private final Setting setting;

    AgentAttempt(Agents agents, Agent agent, AgentTask task, JobContext job) {
        this.agents = agents;
        this.agent = agent;
        this.task = task;
        this.job = job;
        this.setting = agent.setting().filled(task.payload());
    }

    AgentReport run() throws IOException {
        Optional<AgentFiles> last = AgentFiles.of(agents.home(), job.id()).stream().findFirst();
        if (last.isEmpty()) {
            return start(null);
        }
        AgentFiles files = last.get();
        Optional<AgentReport> told = files.end();
        Optional<AgentProcess> process = told.isPresent() ? Optional.empty()
                : AgentProcess.find(files.directory());
        if (process.isPresent()) {
            job.log().info("Took over the run that attempt {} started", files.attempt());
            return again(files).follow(process.get());
        }
        AgentReport report = told.isPresent() && !files.run().isUnended() ? told.get()
                : again(files).settle(told.orElse(null));
        if (report.reason() == null) {
            job.log().info("The run of attempt {} had ended well, and its node before it could say so",
                    files.attempt());
            return report;
        }
        if (files.attempt() == job.attempt()) {
            throw again(files).failure(report);
        }
        return start(report.session() != null && report.reason().resumes() ? report : null);
    }

    /** To see to a run that an earlier attempt has begun. */
    private Watch again(AgentFiles files) {
        Site site = agents.workshop().resume(setting, job, files.attempt());
        site.enterAgain();
        return new Watch(agents, agent, job, site);
    }

    private AgentReport start(@Nullable AgentReport before) throws IOException {
        String task = this.task.prompt(agent.prompt());
        String prompt = before == null ? task
                : "You were interrupted. Go on with your task, which was:\n\n" + task;
        String session = before != null ? before.session() : this.task.session().orElse(null);
        boolean resumed = session != null;
        if (session == null && agent.adapter().takesSessionId()) {
            session = UUID.randomUUID().toString();
        }
        Site site = agents.workshop().begin(setting, job);
        AgentFiles files = new AgentFiles(site.files());
        AgentProcess process;
        Tokens used = before == null || before.ofSession() == null ? Tokens.NONE : before.ofSession();
        try {
            site.enter();
            files.begin(prompt,
                    new AgentFiles.Start(agent.adapter().name(), agent.call().model(),
                            agents.clock().instant(), used));
            agents.purse().begin(job.id(), job.attempt(), agent.name(), job.tags());
            process = launch(site, files, session, resumed);
        } catch (LaunchException e) {
            site.leave(e.kind().exitCode(), null);
            throw Site.refused(e);
        } catch (IOException | RuntimeException e) {
            site.leave(null, null);
            throw e;
        }
        job.log().info("Started {}{}", agent.call().program(),
                resumed ? ", which goes on with session " + session : "");
        return new Watch(agents, agent, job, site).follow(process);
    }

    private AgentProcess launch(Site site, AgentFiles files, @Nullable String session, boolean resumed)
            throws IOException {
        Launch launch = site.launch(agent.call().line(agent.adapter(), session, resumed, task), Map.of())
                .input(Input.from(files.prompt())).output(Output.to(files.transcript().file()))
                .errors(Output.to(site.files().stderr()));
        if (agent.onNodeDeath() == OnNodeDeath.KILL) {
            return AgentProcess.bound(agents.workshop().processes().start(launch));
        }
        site.outlive();
        // In this order: what the store keeps for this machine is found here, and nothing goes on that it does not keep.
        job.outliveNode();
        return AgentProcess.detached(files.directory(), launch,
                Duration.between(agents.clock().instant(), job.deadline()));
    }
}
