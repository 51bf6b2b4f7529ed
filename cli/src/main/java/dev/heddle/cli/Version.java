package dev.heddle.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;

/** The version of Heddle and Java. Does not use the parser, which takes longer to load than this takes to print. */
final class Version {

    private Version() {}

    static String line() throws IOException {
        Properties properties = new Properties();
        try (InputStream stream = Version.class.getResourceAsStream("heddle.properties")) {
            properties.load(Objects.requireNonNull(stream, "heddle.properties is missing from the build"));
        }
        return "heddle " + properties.getProperty("version") + " (Java " + Runtime.version() + ")";
    }
}
