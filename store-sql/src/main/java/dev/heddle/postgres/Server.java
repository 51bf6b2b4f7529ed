package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import dev.heddle.store.StoreException;

/**
 * Which database and schema, as messages name it: never with a password.
 *
 * @param database the URL without its parameters
 */
record Server(String database, String schema) {

    private static final int OLDEST = 14;

    static Server of(String url, String schema) {
        int parameters = url.indexOf('?');
        String bare = parameters < 0 ? url : url.substring(0, parameters);
        return new Server(bare.replaceFirst("^jdbc:", "").replaceFirst("//[^/@]*@", "//"), schema);
    }

    /** Only where it is new enough. */
    static Server of(Connection connection, String schema) throws SQLException {
        DatabaseMetaData about = connection.getMetaData();
        Server server = of(about.getURL(), schema);
        if (about.getDatabaseMajorVersion() < OLDEST) {
            throw new StoreException(StoreException.Kind.OTHER,
                    server + " is " + about.getDatabaseProductName() + " "
                            + about.getDatabaseProductVersion() + "; Heddle needs PostgreSQL " + OLDEST
                            + " or newer");
        }
        return server;
    }

    @Override
    public String toString() {
        return database;
    }
}
