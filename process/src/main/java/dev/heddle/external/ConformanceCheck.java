package dev.heddle.external;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import dev.heddle.external.ExternalSettings.Timing;
import dev.heddle.process.Processes;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks whether a worker in any language follows the protocol. Starts the worker, sends it valid and unusual messages,
 * and reports for each answer whether it is as it should be.
 */
public final class ConformanceCheck {

    private final Processes processes;
    private final List<String> command;
    private final Path directory;
    private final Work work;

    /**
     * The job to run on the worker.
     *
     * @param type the job type; null for the first one that the worker names
     * @param payload the payload of the job
     * @param patience how long the worker may take for each answer
     * @param timing the timeouts of a node for everything other than jobs
     */
    public record Work(@Nullable String type, JsonNode payload, Duration patience, Timing timing) {

        /** Creates a job with the default timeouts of a node. */
        public Work(@Nullable String type, JsonNode payload, Duration patience) {
            this(type, payload, patience, Timing.STANDARD);
        }

        Duration answerWithin() {
            Duration usual = timing.healthAnswer();
            return patience.compareTo(usual) < 0 ? patience : usual;
        }
    }

    /** The result of one check. */
    public record Finding(Level level, String subject, String text) {

        /** How serious a finding is. */
        public enum Level {
            /** The worker behaves as it should. */
            OK,
            /** The worker works, but could do better. */
            HINT,
            /** The worker violates the protocol. */
            WRONG
        }
    }

    /** Creates a check of the worker that the command starts in the directory. */
    public ConformanceCheck(Processes processes, List<String> command, Path directory, Work work) {
        this.processes = processes;
        this.command = List.copyOf(command);
        this.directory = directory;
        this.work = work;
    }

    /** Runs all checks and passes on each finding at once. Returns whether nothing was wrong. */
    public boolean run(Consumer<Finding> findings) throws InterruptedException {
        ConformanceSteps steps = new ConformanceSteps(work, findings);
        try {
            try (WorkerUnderTest worker = start()) {
                steps.checkHandshake(worker);
                steps.checkBasics(worker);
                steps.checkJobs(worker);
                steps.checkShutdown(worker);
            }
            try (WorkerUnderTest worker = start()) {
                steps.checkEndOfInput(worker);
            }
            return !steps.foundProblems();
        } catch (ConformanceSteps.Stopped e) {
            return false;
        }
    }

    private WorkerUnderTest start() {
        WorkerUnderTest worker = new WorkerUnderTest(work);
        worker.start(processes, command, directory);
        return worker;
    }
}
