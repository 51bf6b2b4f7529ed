/**
 * The commands that run a node in their own process: {@code serve}, {@code worker start}, {@code run} and {@code batch
 * run}. Start at {@link dev.heddle.cli.serve.ServeCommand}; {@link dev.heddle.cli.serve.Daemon} is the node itself.
 */
@NullMarked
package dev.heddle.cli.serve;

import org.jspecify.annotations.NullMarked;
