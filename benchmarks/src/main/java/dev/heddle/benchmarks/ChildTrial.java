package dev.heddle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.json.JsonMapper;

/**
 * A trial in a JVM of its own, so that no contender inherits another's compiled code, heap or threads. The
 * child writes its figures to a file: what a product prints cannot spoil them.
 */
record ChildTrial(Contender contender, Options options) {

    /** Enough for each of them, and the same for all. */
    private static final String HEAP = "-Xmx1g";

    Figures run(Path directory) throws IOException, InterruptedException {
        Path output = directory.resolve("figures.json");
        List<String> jvm = new ArrayList<>(List.of(HEAP, "-Djava.io.tmpdir=" + directory));
        if (options.smoke()) {
            jvm.add("-XX:TieredStopAtLevel=1");
        }
        try (Child child = Child.start(jvm, Main.class, arguments(output))) {
            int exit = child.join();
            if (exit != 0) {
                throw new IllegalStateException(contender.card().id() + " failed with exit code " + exit
                        + "; its own words are above");
            }
        }
        return new JsonMapper().readValue(output, Figures.class);
    }

    private List<String> arguments(Path output) {
        List<String> arguments = new ArrayList<>(List.of("--only", contender.card().id(), "--trial",
                output.toString(), "--jobs", Integer.toString(options.jobs())));
        options.server().ifPresent(url -> arguments.addAll(List.of("--server", url)));
        options.inFlight()
                .ifPresent(jobs -> arguments.addAll(List.of("--in-flight", Integer.toString(jobs))));
        if (options.smoke()) {
            arguments.add("--smoke");
        }
        return arguments;
    }

    /** The other side: runs in the child. */
    static void runHere(Options options, Path output) throws Exception {
        new Parent();
        Contender contender = Contenders.named(options.only(), options.inFlight());
        Path databases = Files.createTempDirectory(output.toAbsolutePath().getParent(), "databases");
        Figures figures = new Trial(contender, options.plan(contender),
                options.places(contender, databases), options.inFlight()).run();
        new JsonMapper().writeValue(output, figures);
    }
}
