/**
 * Jobs that are commands: {@link dev.heddle.command.Command} says what is run, and a
 * {@link dev.heddle.command.Workshop} is where.
 */
@NullMarked
package dev.heddle.command;

import org.jspecify.annotations.NullMarked;
