package dev.heddle.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** The differences between the SQL of the two databases. */
public interface Dialect {

    /** Returns the statement with {@code heddle.} replaced by what precedes table names in this database. */
    String localize(String sql);

    /** Prepares a statement after localizing it. */
    default PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(localize(sql));
    }

    /** Binds a string, number, enum, array of bytes, instant, job id, {@link Json.Text}, {@link SeqList}, {@link IdList} or {@link TextList}. */
    void bind(PreparedStatement statement, int index, Object value) throws SQLException;

    /** Returns what follows a column that must equal one of a {@link SeqList}, {@link IdList} or {@link TextList}, which is the parameter. */
    String anyOf();

    /** Asks the clock of the database. Not called in a transaction whose time is {@linkplain Tx#setTime set}. */
    Instant now(Tx tx) throws SQLException;

    /** Returns the cast that follows a time parameter if its type cannot be inferred there. */
    String asTime();

    /** Returns whether a union of sorted parts is merged, not sorted again, if each part has its own ORDER BY. */
    boolean mergesSortedParts();

    /** Returns a source of rows for numbers in a parameter: the table {@code n} with the column {@code value}. */
    String numbers();

    /** Returns the condition that {@code j.tags} contains the string in the parameter. */
    String tagged();

    /** Returns the join that reads its left side first if the database does not know better. */
    String joinInOrder();

    /** Returns a column such that no index is used for it if the database does not know how many rows would match. */
    String withoutIndex(String column);

    /** Returns how many milliseconds are between two times, each an SQL expression. */
    String millisBetween(String from, String to);

    /** Returns the condition that a text has the other in it, whatever the case of A to Z; the other is in lower case. */
    String contains(String text, String other);

    /** Limits how long a statement may run; zero for any time. */
    void limitTime(PreparedStatement statement, Duration limit) throws SQLException;

    /** Returns whether a statement failed because it took longer than its limit. */
    boolean isOutOfTime(SQLException error);

    /** Returns the condition that the row {@code s} of {@code spoken} has all quoted words of the parameter. */
    String spoken();

    /** Locks keys of limits until the transaction ends, in the order of their numbers, waiting for others. */
    void lockKeys(Tx tx, SeqList keys) throws SQLException;

    /** Returns whether this transaction may process the events of limits: one does at a time. */
    boolean mayProcessEvents(Tx tx) throws SQLException;

    /** Returns whether this transaction may fold the counts of jobs: one does at a time. */
    boolean mayFoldCounts(Tx tx) throws SQLException;

    /**
     * Lets a transaction store logs, or delete those of jobs that it has deleted, until it ends. Others may store logs
     * at the same time, but not while one deletes.
     */
    void lockLogs(Tx tx, boolean toDelete) throws SQLException;

    /**
     * Returns the query for the first waiting jobs of groups: group, seq, priority, lane, suspicion and limit key. Its
     * parameters are the groups, the lanes and how many of each.
     */
    String firstOfGroups();

    /** Returns an expression that is larger for every statement, and larger than the number of any job so far. */
    String nextTurn();

    /** Returns the end of a query that locks its rows, waiting for other transactions that have locked them. */
    String forUpdate();

    /** Returns the end of a query that locks its rows of a table, leaving out rows that others have locked. */
    String forUpdateSkipLocked(String table);
}
