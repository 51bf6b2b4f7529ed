/**
 * Every question and command for a Heddle, in records that map to JSON as they are. Start with
 * {@link dev.heddle.control.Control}. {@link dev.heddle.control.LocalControl} answers from a pool or a store in this
 * process, {@link dev.heddle.control.RemoteControl} asks a node over HTTP. Both return the same records, throw the same
 * {@link dev.heddle.control.ControlException}s and pass the same contract suite.
 *
 * <p>{@link dev.heddle.control.Endpoints} is the table of the HTTP API. The client and the server both derive from it.
 */
@NullMarked
package dev.heddle.control;

import org.jspecify.annotations.NullMarked;
