package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.Main;
import dev.heddle.control.ControlJson;
import dev.heddle.testkit.ChildJvm;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/** A directory with a batch named docs; runs {@code heddle batch run} in child processes. */
record BatchFixture(Path directory) {

    static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The scripted agent of the examples. */
    static String agent() {
        return Path.of("../examples/agents/agent.py").toAbsolutePath().normalize().toString();
    }

    /** Writes a batch that runs the scripted agent for CSV rows with title and mode; more lines go to batch.yaml. */
    BatchFixture agents(String rows, String... more) throws IOException {
        file("units.csv", "title,mode\n" + rows);
        return file("batch.yaml", """
                name: docs
                agent: claude
                program: [python3, %s]
                prompt: "Document {{title}}.\\nmode: {{mode}}\\n"
                units: units.csv
                retries: 0
                env: {SCRIPT_LEDGER: %s, SCRIPT_GATE: %s, SCRIPT_PAUSE: "0.05"}
                %s
                """.formatted(agent(), directory.resolve("ledger"), gate(), String.join("\n", more)));
    }

    BatchFixture file(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
        return this;
    }

    Path home() {
        return directory.resolve(".heddle");
    }

    /** The file that agents in mode {@code wait} wait for. */
    private Path gate() {
        return directory.resolve("gate");
    }

    void openGate() throws IOException {
        Files.createFile(gate());
    }

    /** Runs another command in this process. */
    Answer call(String... args) {
        return new Cli(Map.of("HEDDLE_HOME", home().toString(), "PATH", System.getenv("PATH"))).call(args);
    }

    JsonNode json(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("-o", "json"));
        Answer answer = call(all.toArray(String[]::new));
        return ControlJson.tree(answer.out().isEmpty() ? "null" : answer.out());
    }

    /** Runs the batch until it ends or waits for approval, and returns the exit code. */
    int run(String... options) {
        try (ChildJvm run = start(options)) {
            return run.exitCode(PATIENCE);
        }
    }

    /** Starts the batch with its output redirected to a file. */
    ChildJvm start(String... options) {
        return start(Map.of(), with(options));
    }

    /** Starts the batch as on a terminal of the given width. */
    ChildJvm startAtTerminal(int width, String... options) {
        return start(Map.of("HEDDLE_TERMINAL", " out err", "COLUMNS", String.valueOf(width)), with(options));
    }

    private List<String> with(String... options) {
        List<String> all = new ArrayList<>(List.of(directory.resolve("batch.yaml").toString()));
        all.addAll(List.of(options));
        return all;
    }

    /** Runs {@code batch run} with exactly these arguments, in the directory. */
    int runWithoutFile(String... arguments) {
        try (ChildJvm run = start(Map.of(), List.of(arguments))) {
            return run.exitCode(PATIENCE);
        }
    }

    private ChildJvm start(Map<String, String> environment, List<String> arguments) {
        List<String> prefix = new ArrayList<>(List.of("env", "-u", "HEDDLE_TERMINAL"));
        environment.forEach((name, value) -> prefix.add(name + "=" + value));
        prefix.addAll(List.of("sh", "-c", "cd \"$0\" && exec \"$@\" > out 2>&1", directory.toString()));
        List<String> all = new ArrayList<>(List.of("--home", home().toString(), "batch", "run"));
        all.addAll(arguments);
        return ChildJvm.startIn(prefix, Main.class, all.toArray(String[]::new));
    }

    /** Returns what the last run printed to stdout and stderr. */
    String printed() {
        return read("out");
    }

    private String read(String name) {
        try {
            return Files.exists(directory.resolve(name)) ? Files.readString(directory.resolve(name)) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Counts the starts or ends that the agents logged. */
    long count(String what) {
        return read("ledger").lines().filter(line -> line.contains(" " + what + " ")).count();
    }

    void await(String what, long times) {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> count(what) >= times);
    }

    /** Returns the command lines of all running processes that use this directory. */
    List<String> processes() {
        return ProcessHandle.allProcesses().map(process -> process.info().commandLine().orElse(""))
                .filter(line -> line.contains(directory.toString())).toList();
    }
}
