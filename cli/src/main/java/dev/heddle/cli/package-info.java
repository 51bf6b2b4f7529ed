/**
 * The {@code heddle} command. {@link dev.heddle.cli.Main} is where it starts and {@code HeddleCommand} lists the
 * commands, each a class of its own that answers {@code call()} with one of the {@link dev.heddle.cli.shell.Exit}
 * codes. A group of commands ({@code heddle NOUN VERB}), or a large one such as the demo, has a package of its own.
 */
@NullMarked
package dev.heddle.cli;

import org.jspecify.annotations.NullMarked;
