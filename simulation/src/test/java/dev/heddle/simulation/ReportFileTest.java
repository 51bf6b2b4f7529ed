package dev.heddle.simulation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import dev.heddle.job.JobId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ReportFileTest {

    private static final Report STARTED = report(1, new Report.Started(true));
    private static final Report ENDED = report(2, new Report.Ended());

    @TempDir
    private Path directory;

    private static Report report(long at, Report.Event event) {
        return new Report(JobId.of("0190a2b4-0000-7000-8000-000000000001"), 1, "node-1", at, event);
    }

    @Test
    void aReportIsReadWhileItsWriterGoesOn() throws Exception {
        Path path = directory.resolve("reports");
        assertThat(ReportFile.read(path)).as("the process has not started yet").isEmpty();

        try (ReportFile file = ReportFile.open(path)) {
            file.write(STARTED);
            assertThat(ReportFile.read(path)).containsExactly(STARTED);

            Thread.currentThread().interrupt();
            file.write(ENDED);
            assertThat(Thread.interrupted()).as("still to be noticed by the handler").isTrue();
            assertThat(ReportFile.read(path)).containsExactly(STARTED, ENDED);
        }
    }

    @Test
    void aLineThatAKillCutOffIsNoReport() throws Exception {
        Path path = directory.resolve("reports");
        try (ReportFile file = ReportFile.open(path)) {
            file.write(STARTED);
        }
        Files.writeString(path, ENDED.line(), StandardOpenOption.APPEND);

        assertThat(ReportFile.read(path)).containsExactly(STARTED);
    }
}
