package dev.heddle.postgres;

import java.sql.SQLException;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;

/** Says what an error of PostgreSQL means and what to do about it, by its SQLSTATE. */
final class PostgresErrors {

    /** The driver's own, where the server asks for a password and there is none. */
    private static final String NO_PASSWORD = "08004";

    private PostgresErrors() {}

    static StoreException translate(Server server, SQLException thrown) {
        SQLException e = cause(thrown);
        String said = e.getMessage() == null ? e.toString() : e.getMessage().lines().findFirst().orElse("");
        String state = state(e);
        return switch (state) {
            case "28P01", "28000", NO_PASSWORD -> new StoreException(Kind.DENIED,
                    server + " refuses the user or password; check both, and pg_hba.conf (" + said + ")", e);
            case "3D000" -> new StoreException(Kind.UNREACHABLE,
                    server + " is not there; create the database, or correct the URL (" + said + ")", e);
            case "42501" -> new StoreException(Kind.DENIED, "missing rights on " + server
                    + ": the user needs USAGE and CREATE on schema " + server.schema()
                    + " and all rights on its tables, or CREATE on the database to make them (" + said + ")",
                    e);
            case "25006" -> new StoreException(Kind.READ_ONLY, server
                    + " is read-only: a standby, or set so; connect to the primary (" + said + ")", e);
            case "55P03" -> new StoreException(Kind.OTHER, "somebody's transaction keeps rows locked in "
                    + server + "; pg_stat_activity tells whose it is (" + said + ")", e);
            case "25P03" -> new StoreException(Kind.UNREACHABLE,
                    server + " ended a transaction because this process stood still for too long (" + said
                            + ")",
                    e);
            case "53100", "53200" -> new StoreException(Kind.FULL, server
                    + " has no space left; free some, nothing that was accepted is lost (" + said + ")", e);
            case "XX001", "XX002" -> new StoreException(Kind.CORRUPT,
                    server + " reports damaged data; restore a backup (" + said + ")", e);
            default -> switch (state.substring(0, 2)) {
                case "08", "53", "57" -> new StoreException(Kind.UNREACHABLE,
                        "cannot reach " + server + "; check that the server runs and is not overloaded ("
                                + said + ")",
                        e);
                case "22", "23" ->
                    new StoreException(Kind.REJECTED, server + " cannot store that value: " + said, e);
                default ->
                    new StoreException(Kind.OTHER, "error in " + server + " (" + state + "): " + said, e);
            };
        };
    }

    /** The server is away or busy, and may be back. */
    static boolean mayHeal(SQLException e) {
        String state = state(cause(e));
        return (state.startsWith("08") && !state.equals(NO_PASSWORD)) || state.startsWith("53")
                || state.startsWith("57");
    }

    /** A deadlock was resolved against us, or a race was lost. */
    static boolean asksForAnotherTry(SQLException e) {
        String state = state(cause(e));
        return state.equals("40001") || state.equals("40P01");
    }

    /** A connection pool wraps what the driver said. */
    private static SQLException cause(SQLException e) {
        SQLException last = e;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException known && known.getSQLState() != null) {
                last = known;
            }
        }
        return last;
    }

    /** A pool that waited for a connection in vain says no state: the server is away, or all are in use. */
    private static String state(SQLException e) {
        return e.getSQLState() == null || e.getSQLState().length() < 2 ? "08000" : e.getSQLState();
    }
}
