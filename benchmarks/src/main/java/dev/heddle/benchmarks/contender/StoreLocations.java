package dev.heddle.benchmarks.contender;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Creates locations: subdirectories of one directory, or databases on one server. */
public interface StoreLocations {

    /** Returns the location with this name; creates it if necessary. */
    StoreLocation at(String name) throws IOException, SQLException;

    /** Runs the maintenance that a database does by itself after a while, to keep it out of the measurement. */
    default void settle(StoreLocation place) throws SQLException {}

    /** Deletes the location. */
    default void drop(StoreLocation place) throws SQLException {}

    static StoreLocations in(Path directory) {
        return name -> new StoreLocation(Files.createDirectories(directory.resolve(name)).toString());
    }
}
