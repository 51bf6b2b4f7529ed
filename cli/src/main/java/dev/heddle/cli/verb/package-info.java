/**
 * The commands that ask a running node, or the store where none runs, by way of {@link dev.heddle.control.Control}.
 * {@link dev.heddle.cli.verb.Verbs} lists them.
 */
@NullMarked
package dev.heddle.cli.verb;

import org.jspecify.annotations.NullMarked;
