/**
 * Everything one can ask of a Heddle: {@link dev.heddle.control.Control}, in records that are JSON as they stand.
 * {@link dev.heddle.control.LocalControl} answers from a store or a pool in this process,
 * {@link dev.heddle.control.RemoteControl} from a node elsewhere, over HTTP; both give the same records and the same
 * {@link dev.heddle.control.ControlException}s, and are held to one contract.
 */
@NullMarked
package dev.heddle.control;

import org.jspecify.annotations.NullMarked;
