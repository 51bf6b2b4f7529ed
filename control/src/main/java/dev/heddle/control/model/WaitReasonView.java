package dev.heddle.control.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A reason why a job does not run. Fields that the kind has no use for are left out.
 *
 * @param kind the kind of reason
 * @param text the reason as a sentence
 * @param until when it may no longer hold: the time for which the job is scheduled, or of the next start
 * @param nodes the nodes on which it holds
 * @param types the types that each node has handlers for, if none has one for the type of the job
 * @param name what it is about: the limit, gate, queue, type, session or worker group
 * @param key the key of the limit
 * @param jobs jobs that run instead; of a limit, the first ten that take its room
 * @param count how many jobs are ahead, how many children are left, or how many jobs take the room of the limit
 * @param more whether there are more than that, which were not counted
 */
public record WaitReasonView(WaitKind kind, String text, @Nullable Instant until, @Nullable List<String> nodes,
        @Nullable Map<String, List<String>> types, @Nullable String name, @Nullable String key,
        @Nullable List<String> jobs, @Nullable Long count, @Nullable Boolean more) {}
