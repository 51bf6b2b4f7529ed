/** Tests of the command line. {@link dev.heddle.cli.Cli} runs a command and keeps what it prints. */
@NullMarked
package dev.heddle.cli;

import org.jspecify.annotations.NullMarked;
