package dev.heddle.control;

import java.time.Instant;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.store.Story;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job that failed for good, with what is needed to judge it.
 *
 * @param reason why it is dead
 * @param attempts how many attempts it had
 * @param payload what it was submitted with; left out of lists, as is the checkpoint
 * @param failure what the last failed attempt said, with its stack trace
 * @param checkpoint where a retry goes on
 */
public record DeadLetterView(JobView job, String reason, int attempts, Instant firstFailure,
        Instant lastFailure,
        @Nullable JsonNode payload, @Nullable Failure failure, @Nullable JsonNode checkpoint) {

    static DeadLetterView of(Story story) {
        var job = story.job();
        Instant died = job.endedAt().orElse(job.spec().createdAt());
        Instant first = story.attempts().stream().map(Attempt::endedAt).findFirst().orElse(died);
        Instant last = story.attempts().isEmpty() ? died : story.attempts().getLast().endedAt();
        return new DeadLetterView(JobView.of(job), job.reason().orElse("unknown"), story.attempts().size(),
                first,
                last, ControlJson.tree(job.spec().payload()), job.failure().orElse(null),
                story.saved().checkpoint().map(ControlJson::tree).orElse(null));
    }

    /** As a list shows it: a thousand payloads are too much to carry. */
    DeadLetterView inShort() {
        return new DeadLetterView(job, reason, attempts, firstFailure, lastFailure, null, failure, null);
    }
}
