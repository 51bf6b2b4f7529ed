/** Tests of the command line. {@link dev.heddle.cli.Cli} runs a command and captures its output. */
@NullMarked
package dev.heddle.cli;

import org.jspecify.annotations.NullMarked;
