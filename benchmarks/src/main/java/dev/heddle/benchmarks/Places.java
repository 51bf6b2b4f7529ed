package dev.heddle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Hands out places: directories below one, or databases on one server. */
interface Places {

    /** The place of that name; made where there is none yet. */
    Place at(String name) throws IOException, SQLException;

    /** Does what a database in daily use would have done by itself in a while: it must not do so while one measures. */
    default void settle(Place place) throws SQLException {}

    /** Nobody needs it any more. */
    default void drop(Place place) throws SQLException {}

    static Places in(Path directory) {
        return name -> new Place(Files.createDirectories(directory.resolve(name)).toString());
    }
}
