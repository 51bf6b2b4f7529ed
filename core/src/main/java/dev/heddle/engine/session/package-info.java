/**
 * Keeps the jobs of a client's session on one worker. Internal, not API.
 *
 * <p>{@link dev.heddle.engine.session.SessionTable} knows which worker has which session,
 * {@link dev.heddle.engine.session.SessionRoute} decides where a claim goes, and
 * {@link dev.heddle.engine.session.SessionQueues} holds the claims that wait for their session's worker.
 */
@NullMarked
package dev.heddle.engine.session;

import org.jspecify.annotations.NullMarked;
