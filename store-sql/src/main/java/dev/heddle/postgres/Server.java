package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Which database and schema, as messages name it: never with a password.
 *
 * @param database the URL without its parameters
 */
record Server(String database, String schema) {

    static Server of(String url, String schema) {
        int parameters = url.indexOf('?');
        String bare = parameters < 0 ? url : url.substring(0, parameters);
        return new Server(bare.replaceFirst("^jdbc:", "").replaceFirst("//[^/@]*@", "//"), schema);
    }

    static Server of(Connection connection, String schema) throws SQLException {
        return of(connection.getMetaData().getURL(), schema);
    }

    @Override
    public String toString() {
        return database;
    }
}
