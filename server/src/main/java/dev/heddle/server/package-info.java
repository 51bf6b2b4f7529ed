/**
 * Serves a pool over HTTP. Start with {@link dev.heddle.server.HeddleServer}. The API is described by
 * {@link dev.heddle.control.http.Endpoints}; {@code Routes} binds each endpoint to a call of
 * {@link dev.heddle.control.Control}, and {@code OpenApi} derives the document. {@code AccessGuard} decides which
 * requests are admitted, and {@code EventLog} keeps the most recent events.
 */
@NullMarked
package dev.heddle.server;

import org.jspecify.annotations.NullMarked;
