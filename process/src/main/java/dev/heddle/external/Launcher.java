package dev.heddle.external;

import java.util.HashMap;
import java.util.Map;

import dev.heddle.process.EnvironmentRules;
import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.Output;
import dev.heddle.process.Processes;
import dev.heddle.process.RunningProcess;
import dev.heddle.process.Variable;

/**
 * Starts the processes of workers.
 *
 * @param rules which variables they inherit
 * @param told what they are told besides their worker's id
 */
record Launcher(Processes processes, EnvironmentRules rules, Map<Variable, String> told) {

    RunningProcess launch(ExternalWorker worker, ExternalSettings settings) {
        Map<Variable, String> facts = new HashMap<>(told);
        facts.put(Variable.WORKER_ID, worker.id());
        return processes.start(Launch.of("worker " + worker.id(), settings.command()).in(settings.directory())
                .environment(rules.allowing(settings.allowed()).environment(System.getenv(), facts,
                        settings.environment()))
                .input(Input.pipe()).output(Output.to(worker.ear())).errors(Output.to(worker.errors())));
    }
}
