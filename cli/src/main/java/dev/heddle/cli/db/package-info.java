/** {@code heddle db}: maintains the store. {@link dev.heddle.cli.db.DbCommands} has the commands. */
@NullMarked
package dev.heddle.cli.db;

import org.jspecify.annotations.NullMarked;
