package dev.heddle.benchmarks.contender;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Reads text resources. */
public final class Resources {

    private Resources() {}

    static String text(String name) {
        return text(Resources.class, name);
    }

    /** Returns a text from the package of another project's class. */
    static String text(Class<?> neighbour, String name) {
        try (InputStream in = neighbour.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(
                        "no resource " + name + " next to " + neighbour + "; build the module again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the version of an artifact in this build. */
    static String version(String artifact) {
        Properties versions = versions();
        String version = versions.getProperty(artifact);
        if (version == null) {
            throw new IllegalArgumentException("no version of " + artifact + " in versions.properties");
        }
        return version;
    }

    public static Properties versions() {
        Properties versions = new Properties();
        try {
            versions.load(new StringReader(text("versions.properties")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return versions;
    }
}
