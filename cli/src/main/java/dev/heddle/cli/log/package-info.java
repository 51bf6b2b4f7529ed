/** Logging of commands, nodes and workers. Start at {@link dev.heddle.cli.log.Logging}. */
@NullMarked
package dev.heddle.cli.log;

import org.jspecify.annotations.NullMarked;
