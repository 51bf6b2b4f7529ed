package dev.heddle.postgres;

import java.sql.SQLException;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;

/** Translates errors of PostgreSQL, by their SQLSTATE, into exceptions that say what happened and what to do. */
final class PostgresErrors {

    /** The driver's own state if the server asks for a password and none is given. */
    private static final String NO_PASSWORD = "08004";

    private PostgresErrors() {}

    static StoreException translate(DatabaseAddress address, SQLException thrown) {
        SQLException e = cause(thrown);
        String message = e.getMessage() == null ? e.toString() : e.getMessage().lines().findFirst().orElse("");
        String state = state(e);
        return switch (state) {
            case "28P01", "28000", NO_PASSWORD -> new StoreException(Kind.DENIED,
                    address + " rejected the user or password; check both, and pg_hba.conf (" + message + ")", e);
            case "3D000" -> new StoreException(Kind.UNREACHABLE,
                    address + " does not exist; create the database, or correct the URL (" + message + ")", e);
            case "42501" -> new StoreException(Kind.DENIED, "missing privileges on " + address
                    + ": the user needs USAGE and CREATE on schema " + address.schema()
                    + " and all privileges on its tables, or CREATE on the database to create them (" + message + ")",
                    e);
            case "25006" -> new StoreException(Kind.READ_ONLY, address
                    + " is read-only: it is a standby, or configured so; connect to the primary (" + message + ")", e);
            case "55P03" -> new StoreException(Kind.OTHER, "another transaction keeps rows locked in " + address
                    + "; find it in pg_stat_activity (" + message + ")", e);
            case "25P03" -> new StoreException(Kind.UNREACHABLE,
                    address + " ended a transaction because this process was suspended for too long (" + message + ")",
                    e);
            case "53100", "53200" -> new StoreException(Kind.FULL,
                    address + " has no space left; free some, no accepted job is lost (" + message + ")", e);
            case "XX001", "XX002" -> new StoreException(Kind.CORRUPT,
                    address + " reports damaged data; restore a backup (" + message + ")", e);
            default -> switch (state.substring(0, 2)) {
                case "08", "53", "57" -> new StoreException(Kind.UNREACHABLE, "cannot reach " + address
                        + "; check that the server runs and is not overloaded (" + message + ")", e);
                // A bad value, a broken constraint, a limit of the server (an index entry, a document that is too
                // large), and what a trigger or a function of the application refuses.
                case "22", "23", "44", "54", "P0" ->
                    new StoreException(Kind.REJECTED, address + " cannot store that value: " + message, e);
                default -> new StoreException(Kind.OTHER, "error in " + address + " (" + state + "): " + message, e);
            };
        };
    }

    /** Returns whether the server is away or busy, and may come back. */
    static boolean isTemporary(SQLException e) {
        String state = state(cause(e));
        return (state.startsWith("08") && !state.equals(NO_PASSWORD)) || state.startsWith("53")
                || state.startsWith("57");
    }

    /** Returns whether the transaction lost a deadlock or a race, and may succeed if it is repeated. */
    static boolean isConflict(SQLException e) {
        String state = state(cause(e));
        return state.equals("40001") || state.equals("40P01");
    }

    /** Finds the exception of the driver, which a connection pool wraps. */
    private static SQLException cause(SQLException e) {
        SQLException last = e;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException known && known.getSQLState() != null) {
                last = known;
            }
        }
        return last;
    }

    /**
     * Returns the SQLSTATE. A connection pool that timed out has none: the server is away, or all connections are in
     * use.
     */
    private static String state(SQLException e) {
        return e.getSQLState() == null || e.getSQLState().length() < 2 ? "08000" : e.getSQLState();
    }
}
