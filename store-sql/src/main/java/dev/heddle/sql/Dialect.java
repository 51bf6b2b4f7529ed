package dev.heddle.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Where the SQL of one database differs from the other's. */
public interface Dialect {

    /** The statement with the tables as they are named here. */
    String localize(String sql);

    default PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(localize(sql));
    }

    /** Sets a parameter: a string, number, enum, instant, job id, {@link Json.Text} or {@link Seqs}. */
    void bind(PreparedStatement statement, int at, Object value) throws SQLException;

    /** Follows a column: equal to one of the {@link Seqs} given as the parameter. */
    String anyOf();

    /** Follows a parameter that is a time and stands where the database could not tell. */
    String asTime();

    /** Whether the parts of a union are only merged, and not sorted, where each part is sorted by itself. */
    boolean mergesSortedParts();

    /** Whether {@code j.tags} has the string given as the parameter. */
    String tagged();

    /** Whether {@code s} of the table {@code spoken} has all words that stand in quotes in the parameter. */
    String spoken();

    /** Ends a query whose rows are about to change: they wait for whoever else changes them. */
    String forUpdate();

    /** The same, leaving out rows that somebody else is changing. */
    String forUpdateSkipLocked(String table);
}
