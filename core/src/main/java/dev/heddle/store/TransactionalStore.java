package dev.heddle.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * An optional capability of a {@link Store}: takes part in a transaction of the application, in a database that both
 * use.
 */
public interface TransactionalStore {

    /**
     * Stores submissions within a transaction that the caller has begun, and commits nothing. The jobs exist once the
     * caller commits.
     *
     * @return one receipt for each submission, in order
     * @throws SQLException if the database refused; the caller has to roll back
     */
    List<Receipt> insert(Connection transaction, List<Submission> submissions) throws SQLException;
}
