/**
 * What every command shares with the shell that calls it. Start at {@link dev.heddle.cli.shell.ExitCode} and
 * {@link dev.heddle.cli.shell.CliOutput}; tables, progress lines, output formats and usage errors are here too. No
 * class here knows a command.
 */
@NullMarked
package dev.heddle.cli.shell;

import org.jspecify.annotations.NullMarked;
