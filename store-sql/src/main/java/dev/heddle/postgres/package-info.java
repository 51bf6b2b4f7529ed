/**
 * The store for PostgreSQL, which any number of nodes may share. Start at {@link dev.heddle.postgres.PostgresStore}.
 * The tables are explained in {@code 001_initial.sql}, whose comments are also in the database, and in
 * {@code dev.heddle.sql}.
 *
 * <ul>
 * <li>What has to be fast is one statement over arrays ({@code unnest}), and so its own transaction: {@code Inserts}
 * with {@code InsertStatements}, {@code Claims}, {@code Changes} with {@code ChangeStatements}. {@code PlanCaching}
 * makes sure that their plans are right however large the tables are.
 * <li>Row locks keep concurrent transactions apart. A claim skips jobs that others are claiming, and locks the row of
 * its node ({@code FOR KEY SHARE}). Declaring a node dead ({@code NodeLeases}) deletes that row and recovers its jobs
 * in one transaction, so a dead node cannot claim. {@code ParentLocks} keeps parents from ending or being deleted
 * while children are stored. Jobs are locked in the order of their numbers.
 * <li>A node is alive while its lease, in the table {@code node}, has not expired by the server's clock. Only a node
 * that has renewed for a whole lease without a gap may declare others dead.
 * <li>{@code Announcer} sends {@code NOTIFY} after a commit, on its own thread, if there are other nodes.
 * {@code Listener} receives, reconnects, and tells its node to poll if announcements do not arrive.
 * <li>{@code Connections} runs transactions and repeats those that lost a race. {@code NetworkTimeout} limits how
 * long it waits for an answer.
 * </ul>
 */
@NullMarked
package dev.heddle.postgres;

import org.jspecify.annotations.NullMarked;
