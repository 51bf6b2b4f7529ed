package dev.heddle.control.model;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A client session: its jobs run on one worker.
 *
 * @param session the name that the client chose
 * @param type the job type whose workers serve it
 * @param worker the id of its worker; null if that worker was lost and no other has taken over yet
 * @param node the node of the worker
 * @param strict whether the session is lost with its worker
 * @param boundAt when the worker got the session
 * @param usedAt when it was last used, to the minute
 */
public record SessionView(String session, String type, @Nullable String worker, String node, boolean strict,
        Instant boundAt, Instant usedAt) {}
