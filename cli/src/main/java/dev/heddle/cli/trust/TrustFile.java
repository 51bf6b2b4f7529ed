package dev.heddle.cli.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.heddle.cli.home.PrivateFiles;

/**
 * The paths that the user trusts, one per line after the hash of the content: {@code HASH PATH}. A directory has no
 * hash, because its content changes all the time.
 */
record TrustFile(Path file, Map<String, String> environment) {

    /** Returns the file in the user's configuration directory. */
    static TrustFile of(Map<String, String> environment) {
        Path configured = Path.of(environment.getOrDefault("XDG_CONFIG_HOME", ""));
        Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
        return new TrustFile((configured.isAbsolute() ? configured : home.resolve(".config")).resolve("heddle")
                .resolve("trusted"), environment);
    }

    /** Returns the hashes by path; none if the file belongs to another user. */
    Map<String, String> entries() throws IOException {
        Map<String, String> entries = new LinkedHashMap<>();
        if (Files.exists(file) && !FileOwner.isForeign(file, environment)) {
            for (String line : Files.readAllLines(file)) {
                int space = line.indexOf(' ');
                if (space > 0) {
                    entries.put(line.substring(space + 1), line.substring(0, space));
                }
            }
        }
        return entries;
    }

    void write(Map<String, String> entries) throws IOException {
        Path directory = Objects.requireNonNull(file.getParent());
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(Objects.requireNonNull(directory.getParent()));
            PrivateFiles.createDirectory(directory);
        }
        PrivateFiles.write(file,
                entries.entrySet().stream().map(entry -> entry.getValue() + " " + entry.getKey() + "\n")
                        .collect(Collectors.joining()));
    }
}
