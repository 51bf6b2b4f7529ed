/**
 * Jobs in PostgreSQL, for as many nodes as share the database. {@link dev.heddle.postgres.PostgresStore} is the door;
 * {@code 001_initial.sql} beside it explains the tables. Whatever has to be fast is one statement over arrays, and is
 * then its own transaction. What may happen at the same time elsewhere is kept apart by row locks: a claim locks its
 * node's row against the node being declared dead, and skips jobs that others are claiming.
 */
@NullMarked
package dev.heddle.postgres;

import org.jspecify.annotations.NullMarked;
