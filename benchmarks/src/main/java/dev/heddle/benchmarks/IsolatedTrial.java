package dev.heddle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.benchmarks.contender.Contender;
import dev.heddle.benchmarks.contender.Contenders;
import dev.heddle.benchmarks.trial.ChildProcess;
import dev.heddle.benchmarks.trial.ParentProcess;
import dev.heddle.benchmarks.trial.Trial;
import dev.heddle.benchmarks.trial.TrialResult;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a trial in a child JVM: no contender inherits compiled code, heap or threads from another. The child writes its
 * figures to a file, where the output of a product cannot disturb them.
 */
record IsolatedTrial(Contender contender, Options options) {

    /** The heap, which is the same for all and enough for each. */
    private static final String HEAP = "-Xmx1g";

    TrialResult run(Path directory) throws IOException, InterruptedException {
        Path output = directory.resolve("figures.json");
        List<String> jvm = new ArrayList<>(List.of(HEAP, "-Djava.io.tmpdir=" + directory));
        if (options.smoke()) {
            jvm.add("-XX:TieredStopAtLevel=1");
        }
        try (ChildProcess child = ChildProcess.start(jvm, Main.class, arguments(output))) {
            int exit = child.join();
            if (exit != 0) {
                throw new IllegalStateException(
                        contender.card().id() + " failed with exit code " + exit + "; its own words are above");
            }
        }
        return new JsonMapper().readValue(output, TrialResult.class);
    }

    private List<String> arguments(Path output) {
        List<String> arguments = new ArrayList<>(List.of("--only", contender.card().id(), "--trial", output.toString(),
                "--jobs", Integer.toString(options.jobs())));
        options.server().ifPresent(url -> arguments.addAll(List.of("--server", url)));
        options.inFlight().ifPresent(jobs -> arguments.addAll(List.of("--in-flight", Integer.toString(jobs))));
        if (options.smoke()) {
            arguments.add("--smoke");
        }
        return arguments;
    }

    /** Runs the trial in this JVM, which is the child. */
    static void runHere(Options options, Path output) throws Exception {
        new ParentProcess();
        Contender contender = Contenders.named(options.only(), options.inFlight());
        Path databases = Files.createTempDirectory(output.toAbsolutePath().getParent(), "databases");
        TrialResult figures = new Trial(contender, options.plan(contender), options.places(contender, databases),
                options.inFlight()).run();
        new JsonMapper().writeValue(output, figures);
    }
}
