/**
 * The store for one SQLite file. Start at {@link dev.heddle.sqlite.SqliteStore}. The tables are explained in
 * {@code 001_initial.sql} and in {@code dev.heddle.sql}.
 *
 * <ul>
 * <li>{@code Database} owns the file. One connection writes, under a lock and with an fsync for every commit. Other
 * connections read. It says BEGIN and COMMIT itself, because the driver does not notice when SQLite rolls back on a
 * full disk.
 * <li>{@code DatabaseLock} keeps a second process away. So a node is always alone, needs no lease, and every other
 * node in the file is dead.
 * <li>{@code WriteAheadLog} extends SQLite's log in advance, which halves the time of an fsync.
 * <li>{@code Inserts}, {@code Claims} and {@code Changes} do what has to be fast, in JDBC batches.
 * <li>{@link dev.heddle.sqlite.SqliteFile} backs up a file that is in use; {@link dev.heddle.sqlite.SqliteLibrary}
 * caches the driver's native library.
 * </ul>
 */
@NullMarked
package dev.heddle.sqlite;

import org.jspecify.annotations.NullMarked;
