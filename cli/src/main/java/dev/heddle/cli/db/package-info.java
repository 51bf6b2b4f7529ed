/** {@code heddle db}: looks after the store itself; {@link dev.heddle.cli.db.DbCommands} lists the verbs. */
@NullMarked
package dev.heddle.cli.db;

import org.jspecify.annotations.NullMarked;
