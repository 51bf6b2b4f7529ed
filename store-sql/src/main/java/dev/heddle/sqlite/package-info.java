/**
 * Jobs in one SQLite file. {@link dev.heddle.sqlite.SqliteStore} is the door; {@code 001_initial.sql} beside it
 * explains the tables. One connection writes, under a lock and with an fsync for every commit; others read.
 */
@NullMarked
package dev.heddle.sqlite;

import org.jspecify.annotations.NullMarked;
