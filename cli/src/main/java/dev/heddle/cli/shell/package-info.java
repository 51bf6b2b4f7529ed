/**
 * What every command shares with the shell it is called from: {@link dev.heddle.cli.shell.Exit} codes first, then the
 * {@link dev.heddle.cli.shell.Screen}, tables, progress, and the answer to wrong usage. Depends on no command.
 */
@NullMarked
package dev.heddle.cli.shell;

import org.jspecify.annotations.NullMarked;
