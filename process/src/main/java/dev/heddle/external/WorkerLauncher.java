package dev.heddle.external;

import java.util.HashMap;
import java.util.Map;

import dev.heddle.process.Input;
import dev.heddle.process.Launch;
import dev.heddle.process.Output;
import dev.heddle.process.Processes;
import dev.heddle.process.RunningProcess;
import dev.heddle.process.environment.EnvironmentRules;
import dev.heddle.process.environment.EnvironmentVariable;

/**
 * Starts worker processes.
 *
 * @param rules which variables the workers inherit
 * @param variables Heddle's variables for the workers, besides the worker's id
 */
record WorkerLauncher(Processes processes, EnvironmentRules rules, Map<EnvironmentVariable, String> variables) {

    RunningProcess launch(ExternalWorker worker, ExternalSettings settings) {
        Map<EnvironmentVariable, String> own = new HashMap<>(variables);
        own.put(EnvironmentVariable.WORKER_ID, worker.id());
        return processes.start(Launch.of("worker " + worker.id(), settings.command()).in(settings.directory())
                .environment(
                        rules.allowing(settings.allowed()).environment(System.getenv(), own, settings.environment()))
                .input(Input.pipe()).output(Output.to(worker.outputReceiver()))
                .errors(Output.to(worker.errorReceiver())));
    }
}
