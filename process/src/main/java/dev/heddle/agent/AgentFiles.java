package dev.heddle.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.heddle.conversation.Tally;
import dev.heddle.conversation.Tokens;
import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where a run's files are, below the home of its node:
 *
 * <pre>
 * agents/JOB/ATTEMPT/prompt.txt  events.jsonl[.gz]  errors.log  started.json  report.json
 * </pre>
 *
 * Each attempt has its own, and none is ever written over.
 */
record AgentFiles(Path home, JobId job, int attempt) {

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

    private static Path ofJob(Path home, JobId job) {
        return home.resolve("agents").resolve(job.toString());
    }

    Path directory() {
        return ofJob(home, job).resolve(Integer.toString(attempt));
    }

    Path prompt() {
        return directory().resolve("prompt.txt");
    }

    Transcript transcript() {
        return new Transcript(directory().resolve("events.jsonl"));
    }

    Path errors() {
        return directory().resolve("errors.log");
    }

    private Path started() {
        return directory().resolve("started.json");
    }

    private Path report() {
        return directory().resolve("report.json");
    }

    /** The attempts of the job that came to start something here, newest first. */
    static List<AgentFiles> of(Path home, JobId job) throws IOException {
        try (Stream<Path> attempts = Files.list(ofJob(home, job))) {
            return attempts.map(path -> new AgentFiles(home, job, Integer.parseInt(path.getFileName().toString())))
                    .filter(files -> Files.exists(files.started()))
                    .sorted(Comparator.comparingInt(AgentFiles::attempt).reversed()).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    void begin(String text, Start start) throws IOException {
        Files.createDirectories(directory());
        Files.writeString(prompt(), text);
        write(started(), start);
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
