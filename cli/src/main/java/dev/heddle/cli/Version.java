package dev.heddle.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;

import picocli.CommandLine.IVersionProvider;

/** Which Heddle this is, and on which Java. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        return new String[]{"heddle " + number() + " (Java " + Runtime.version() + ")"};
    }

    private static String number() throws IOException {
        Properties properties = new Properties();
        try (InputStream stream = Version.class.getResourceAsStream("heddle.properties")) {
            properties.load(Objects.requireNonNull(stream, "heddle.properties is missing from the build"));
        }
        return properties.getProperty("version");
    }
}
