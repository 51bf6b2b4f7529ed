package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.cli.serve.TortureLoad.Kind;
import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobReader;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks what must hold after any number of crashes. */
final class TortureChecks {

    private final JobReader store;
    private int orphaned;
    private int sessionsLost;
    private int units;

    TortureChecks(JobReader store) {
        this.store = store;
    }

    /** Checks that every acknowledged job has ended as it should, with one accepted result. */
    void everyAcknowledgedJobHasItsEnd(Map<String, Kind> acknowledged) {
        acknowledged.forEach((id, kind) -> {
            JobDetails job = store.details(JobId.of(id)).orElseThrow(() -> new AssertionError("lost: " + kind + id));
            String reason = job.job().reason().orElse("");
            if (job.job().state() == JobState.FAILED && kind == Kind.ONCE) {
                assertThat(reason).as("%s", job).startsWith("orphaned");
                assertThat(completions(job)).isZero();
                orphaned++;
            } else if (job.job().state() == JobState.FAILED && kind == Kind.SESSION) {
                assertThat(reason).as("%s", job).containsAnyOf("SessionLost", "SessionTimeout");
                assertThat(completions(job)).isZero();
                sessionsLost++;
            } else {
                assertThat(job.job().state()).as("%s %s", kind, job).isEqualTo(JobState.COMPLETED);
                assertThat(completions(job)).as("%s %s", kind, job).isEqualTo(1);
            }
            if (kind == Kind.BATCH) {
                assertThat(job.children().keySet()).as("%s", job).containsExactly(JobState.COMPLETED);
                units += job.children().values().stream().mapToInt(Long::intValue).sum();
            }
        });
        assertThat(Set.copyOf(acknowledged.values())).as("the load has every kind of work").contains(Kind.values());
    }

    private static long completions(JobDetails job) {
        return job.attempts().stream().filter(attempt -> attempt.end() == Attempt.End.COMPLETED).count();
    }

    /** Checks that no step ran again after it was committed, and no job that must run once ran twice. */
    void nothingRanTwice(Path log) throws IOException {
        Set<String> done = new HashSet<>();
        Set<String> once = new HashSet<>();
        List<String> lines = Files.readAllLines(log);
        for (String line : lines) {
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "done" -> done.add(words[1]);
                case "run" -> assertThat(done).as("committed steps").doesNotContain(words[1]);
                case "once" -> assertThat(once.add(words[1])).as("job %s ran twice", words[1]).isTrue();
                default -> throw new AssertionError("strange line: " + line);
            }
        }
        assertThat(done).isNotEmpty();
        assertThat(once).isNotEmpty();
    }

    String summary() {
        return units + " units of batches, " + orphaned + " jobs orphaned that may run only once, " + sessionsLost
                + " jobs lost with their session; nothing lost, nothing twice, no process left";
    }
}
