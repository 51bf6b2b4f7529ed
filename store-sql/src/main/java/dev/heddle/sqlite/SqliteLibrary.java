package dev.heddle.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Keeps SQLite's native library where the next start finds it. Left to itself the driver unpacks a megabyte into the
 * system's temporary directory at every start, and what a killed process unpacked stays there for ever.
 *
 * <p>A store keeps it in the user's cache directory, unless a program has chosen a place before, here or by the
 * driver's own properties. Where it cannot be kept, the driver does as it always does.
 */
public final class SqliteLibrary {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);
    private static final String WHERE = "org.sqlite.lib.path";
    private static final String UNPACK_TO = "org.sqlite.tmpdir";

    private SqliteLibrary() {}

    /** Only the first choice counts, and only before the first store is opened. */
    public static void keepIn(Path directory) {
        if (System.getProperty(WHERE) != null || System.getProperty(UNPACK_TO) != null) {
            return;
        }
        String name = LibraryLoaderUtil.getNativeLibName();
        Path kept = directory.toAbsolutePath().resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
        try {
            if (!Files.exists(kept.resolve(name))) {
                unpack(name, Files.createDirectories(kept));
            }
            System.setProperty(WHERE, kept.toString());
        } catch (IOException e) {
            LOG.debug("SQLite's library cannot be kept in {}; the driver unpacks it at every start", kept, e);
        }
    }

    static void keepInCache() {
        try {
            keepIn(cache(System.getProperty("os.name"), Path.of(System.getProperty("user.home")),
                    System.getenv()));
        } catch (InvalidPathException e) {
            LOG.debug("There is no cache directory for SQLite's library", e);
        }
    }

    /** Where programs of this user may keep what they can make anew. */
    static Path cache(String system, Path home, Map<String, String> environment) {
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return home.resolve("Library/Caches/heddle");
        }
        Path asked = Path.of(environment.getOrDefault(
                name.startsWith("windows") ? "LOCALAPPDATA" : "XDG_CACHE_HOME", ""));
        return (asked.isAbsolute() ? asked : home.resolve(".cache")).resolve("heddle");
    }

    /** Whoever finds the library finds all of it: after a crash, and while another process does the same. */
    private static void unpack(String name, Path directory) throws IOException {
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        Path draft = Files.createTempFile(directory, "draft-", ".tmp");
        try (InputStream packed = SQLiteJDBCLoader.class.getResourceAsStream(resource);
                FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            if (packed == null) {
                throw new IOException("the driver has no library for this platform: " + resource);
            }
            for (ByteBuffer rest = ByteBuffer.wrap(packed.readAllBytes()); rest.hasRemaining();) {
                channel.write(rest);
            }
            channel.force(true);
            Files.move(draft, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
