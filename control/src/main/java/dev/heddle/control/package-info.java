/**
 * Every question and command for a Heddle. Start with {@link dev.heddle.control.Control}. A
 * {@link dev.heddle.control.local.LocalControl} answers from a pool or a store in this process, a
 * {@link dev.heddle.control.remote.RemoteControl} asks a node over HTTP. Both return the same records
 * ({@link dev.heddle.control.model}), throw the same {@link dev.heddle.control.ControlException}s and pass the same
 * contract suite.
 *
 * <p>{@link dev.heddle.control.http.Endpoints} is the table of the HTTP API. The client and the server both derive from
 * it.
 */
@NullMarked
package dev.heddle.control;

import org.jspecify.annotations.NullMarked;
