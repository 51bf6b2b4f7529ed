package dev.heddle.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A store that lies in a database the application may use too, and can join the application's own transaction. */
public interface Transactional {

    /**
     * Stores submissions within a transaction that the caller began, and that decides with its end whether they were
     * ever there. Nothing is committed here.
     */
    List<Receipt> insert(Connection transaction, List<Submission> submissions) throws SQLException;
}
