package dev.heddle.postgres;

import java.util.List;

/**
 * The limits of time that the server enforces on Heddle's transactions. On its own connections Heddle sets all of them,
 * whatever the defaults of the role and the database are, which may be too short to work with, or none at all.
 */
final class TimeLimits {

    /**
     * For Heddle's own connections. The server ends the transaction of a process that is suspended: other nodes would
     * wait for its locks as long as its connection lives.
     */
    static final String OPTIONS = "-c statement_timeout=60s -c lock_timeout=30s"
            + " -c idle_in_transaction_session_timeout=5s";

    /** For one transaction on a connection that is not Heddle's, or whose options a pooler dropped. */
    static final String FOR_TRANSACTION = "SET LOCAL idle_in_transaction_session_timeout = '5s'";

    /** For a migration, which takes as long as the tables are large, or waits as long for that of another node. */
    static final List<String> NONE_FOR_TRANSACTION = List.of("SET LOCAL statement_timeout = 0",
            "SET LOCAL lock_timeout = 0");

    private TimeLimits() {}
}
