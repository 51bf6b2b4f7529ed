package dev.heddle.agent;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.heddle.conversation.RunningTotals;
import dev.heddle.conversation.Tokens;
import dev.heddle.job.JobId;
import dev.heddle.output.RunFiles;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of an agent's run, in addition to those of every run:
 *
 * <pre>
 * runs/JOB/ATTEMPT/prompt.txt  events.jsonl[.gz]  started.json  report.json
 * </pre>
 *
 * Each attempt has its own directory, and no file is overwritten by a later attempt. {@code stdout.log} contains the
 * conversation in readable form.
 */
record AgentFiles(RunFiles run) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * How a run was started, stored as {@code started.json}.
     *
     * @param adapter the adapter's name
     * @param model the model that was requested; null for the agent's default
     * @param at when it started
     * @param before the tokens that its session had used before
     */
    record Start(String adapter, @Nullable String model, Instant at, Tokens before) {

        RunningTotals newTotals() {
            return new RunningTotals(model, before);
        }

        /** Returns the adapter; plain text if an adapter of that name is no longer installed. */
        Adapter loadAdapter() {
            return Adapters.load().find(adapter).orElseGet(PlainTextAdapter::new);
        }
    }

    int attempt() {
        return run.attempt();
    }

    Path directory() {
        return run.directory();
    }

    Path prompt() {
        return directory().resolve("prompt.txt");
    }

    Transcript transcript() {
        return new Transcript(directory().resolve("events.jsonl"));
    }

    private Path startFile() {
        return directory().resolve("started.json");
    }

    private Path reportFile() {
        return directory().resolve("report.json");
    }

    /** Lists the attempts of a job that started an agent on this machine, newest first. */
    static List<AgentFiles> list(Path home, JobId job) throws IOException {
        return RunFiles.list(home, job).stream().map(AgentFiles::new).filter(files -> Files.exists(files.startFile()))
                .toList().reversed();
    }

    void writeStart(String promptText, Start start) throws IOException {
        Files.writeString(prompt(), promptText);
        write(startFile(), start);
    }

    Start start() throws IOException {
        return JSON.readValue(Files.readString(startFile()), Start.class);
    }

    /**
     * Opens {@code stdout.log} for the readable conversation. An attempt that takes a run over starts it again from the
     * beginning. The writer appends because the file may be truncated to its size limit meanwhile.
     */
    Writer openReadableLog() throws IOException {
        Files.deleteIfExists(run.stdout());
        return Files.newBufferedWriter(run.stdout(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    void writeReport(AgentReport report) throws IOException {
        write(reportFile(), report);
    }

    /** Returns the report; empty if the run has not ended, or ended unnoticed. */
    Optional<AgentReport> report() throws IOException {
        try {
            return Optional.of(JSON.readValue(Files.readString(reportFile()), AgentReport.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static void write(Path file, Object content) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, JSON.writeValueAsString(content));
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
