package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import dev.heddle.store.StoreException;

/**
 * The database and schema of a store, as messages name them: without a password.
 *
 * @param database the URL without its parameters
 */
record DatabaseAddress(String database, String schema) {

    private static final int OLDEST_VERSION = 14;

    static DatabaseAddress of(String url, String schema) {
        int parameters = url.indexOf('?');
        String bare = parameters < 0 ? url : url.substring(0, parameters);
        return new DatabaseAddress(bare.replaceFirst("^jdbc:", "").replaceFirst("//[^/@]*@", "//"), schema);
    }

    /** Returns the address of a connection. Throws if the server is too old. */
    static DatabaseAddress of(Connection connection, String schema) throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        DatabaseAddress address = of(metadata.getURL(), schema);
        if (metadata.getDatabaseMajorVersion() < OLDEST_VERSION) {
            throw new StoreException(StoreException.Kind.OTHER,
                    address + " is " + metadata.getDatabaseProductName() + " " + metadata.getDatabaseProductVersion()
                            + "; Heddle needs PostgreSQL " + OLDEST_VERSION + " or newer");
        }
        return address;
    }

    @Override
    public String toString() {
        return database;
    }
}
