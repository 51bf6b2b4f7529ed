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

import dev.heddle.conversation.Tally;
import dev.heddle.conversation.Tokens;
import dev.heddle.job.JobId;
import dev.heddle.output.RunFiles;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an agent's run has in files besides those of every run:
 *
 * <pre>
 * runs/JOB/ATTEMPT/prompt.txt  events.jsonl[.gz]  started.json  report.json
 * </pre>
 *
 * Each attempt has its own, and none is ever written over; {@code stdout.log} has the conversation as people read it.
 */
record AgentFiles(RunFiles run) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /**
     * How a run was started.
     *
     * @param adapter by its name
     * @param model what the agent was told to use; null for its own choice
     * @param before what its session had used by then
     */
    record Start(String adapter, @Nullable String model, Instant at, Tokens before) {

        Tally tally() {
            return new Tally(model, before);
        }

        /** One that is gone leaves plain text. */
        Adapter adapt() {
            return Adapters.here().find(adapter).orElseGet(PlainText::new);
        }
    }

    JobId job() {
        return run.job();
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

    private Path started() {
        return directory().resolve("started.json");
    }

    private Path report() {
        return directory().resolve("report.json");
    }

    /** The attempts of the job that came to start something here, newest first. */
    static List<AgentFiles> of(Path home, JobId job) throws IOException {
        return RunFiles.of(home, job).stream().map(AgentFiles::new)
                .filter(files -> Files.exists(files.started()))
                .toList().reversed();
    }

    void begin(String text, Start start) throws IOException {
        Files.writeString(prompt(), text);
        write(started(), start);
    }

    /** For the conversation as people read it; begun anew by whoever takes the run over. Appends, as it may be capped. */
    Writer show() throws IOException {
        Files.deleteIfExists(run.stdout());
        return Files.newBufferedWriter(run.stdout(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    Start start() throws IOException {
        return JSON.readValue(Files.readString(started()), Start.class);
    }

    void end(AgentReport report) throws IOException {
        write(report(), report);
    }

    Optional<AgentReport> end() throws IOException {
        return read(report(), AgentReport.class);
    }

    private static void write(Path file, Object content) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, JSON.writeValueAsString(content));
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static <T> Optional<T> read(Path file, Class<T> type) throws IOException {
        try {
            return Optional.of(JSON.readValue(Files.readString(file), type));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
