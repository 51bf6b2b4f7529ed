/**
 * The {@code heddle} command. {@link dev.heddle.cli.Main} is the entry point and {@code Commands} lists all commands.
 * Each command is a class whose {@code call()} returns one of the {@link dev.heddle.cli.shell.ExitCode} codes. Commands
 * that use the control API are in {@code command}, those that run a node in {@code serve}; larger ones have their own
 * package.
 */
@NullMarked
package dev.heddle.cli;

import org.jspecify.annotations.NullMarked;
