/**
 * The commands that query and change jobs, queues, workers, batches, budgets and sessions. They use
 * {@link dev.heddle.control.Control} only, so they work the same with a running node and on the store. Start at
 * {@link dev.heddle.cli.command.CommandGroups}, which lists them; most extend {@code ControlCommand}.
 */
@NullMarked
package dev.heddle.cli.command;

import org.jspecify.annotations.NullMarked;
