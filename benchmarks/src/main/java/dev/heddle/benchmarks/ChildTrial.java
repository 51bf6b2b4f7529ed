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
record ChildTrial(Card card, Options options) {

    /** Enough for each of them, and the same for all. */
    private static final String HEAP = "-Xmx1g";

    Figures run(Path directory) throws IOException, InterruptedException {
        Path output = directory.resolve("figures.json");
        Process child = new ProcessBuilder(command(directory, output)).inheritIO().start();
        int exit = child.waitFor();
        if (exit != 0) {
            throw new IllegalStateException(
                    card.id() + " failed with exit code " + exit + "; its own words are above");
        }
        return new JsonMapper().readValue(output, Figures.class);
    }

    private List<String> command(Path directory, Path output) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", HEAP, "-Djava.io.tmpdir=" + directory, "-cp",
                System.getProperty("java.class.path"), Main.class.getName(), "--only", card.id(), "--trial",
                output.toString(), "--jobs", Integer.toString(options.jobs())));
        options.inFlight().ifPresent(jobs -> command.addAll(List.of("--in-flight", Integer.toString(jobs))));
        if (options.smoke()) {
            command.add("--smoke");
        }
        return command;
    }

    /** The other side: runs in the child. */
    static void runHere(Contender contender, Options options, Path output) throws Exception {
        Path databases = Files.createTempDirectory(output.toAbsolutePath().getParent(), "databases");
        Figures figures = new Trial(contender, options.plan(), databases).run();
        new JsonMapper().writeValue(output, figures);
    }
}
