package dev.heddle.cli.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.io.TempDir;

/** Reads configuration files from a directory of the test. */
abstract class ConfigFixture {

    @TempDir
    Path directory;

    final Config read(String yaml, Map<String, String> environment) throws IOException {
        Path file = Files.writeString(directory.resolve("heddle.yaml"), yaml);
        return ConfigFile.read(file, directory.resolve(".heddle"), environment);
    }

    final Config read(String yaml) throws IOException {
        return read(yaml, Map.of());
    }
}
