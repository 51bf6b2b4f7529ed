package dev.heddle.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Caches SQLite's native library for the next start. By default the driver unpacks a megabyte into the system's
 * temporary directory at every start, and a killed process leaves its copy there forever.
 *
 * <p>A store caches the library in the user's cache directory, unless the program has chosen a directory before, with
 * {@link #keepIn} or with the driver's own properties. If the library cannot be cached, the driver falls back to its
 * default.
 *
 * <p>A cached file is used only if it equals the library in the driver's jar, because the directory may come from
 * somewhere else, such as a cloned repository. Otherwise it is replaced.
 */
public final class SqliteLibrary {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);
    private static final String LIBRARY_PATH = "org.sqlite.lib.path";
    private static final String DRAFT = "draft-";
    private static final String UNPACK_TO = "org.sqlite.tmpdir";

    private SqliteLibrary() {}

    /**
     * Caches the library in a directory. Only the first call has an effect, and only before the first store is
     * opened.
     */
    public static void keepIn(Path directory) {
        if (System.getProperty(LIBRARY_PATH) != null || System.getProperty(UNPACK_TO) != null) {
            return;
        }
        String name = LibraryLoaderUtil.getNativeLibName();
        Path kept = directory.toAbsolutePath().resolve("sqlite-" + SQLiteJDBCLoader.getVersion());
        try {
            byte[] library = packed(name);
            if (!isKept(library, kept.resolve(name))) {
                unpack(library, Files.createDirectories(kept), name);
            }
            deleteDrafts(kept);
            System.setProperty(LIBRARY_PATH, kept.toString());
        } catch (IOException e) {
            LOG.debug("Cannot cache SQLite's library in {}; the driver unpacks it at every start", kept, e);
        }
    }

    static void keepInCache() {
        try {
            keepIn(cache(System.getProperty("os.name"), Path.of(System.getProperty("user.home")), System.getenv()));
        } catch (InvalidPathException e) {
            LOG.debug("There is no cache directory for SQLite's library", e);
        }
    }

    /** Returns the directory for this user's caches on a system. */
    static Path cache(String system, Path home, Map<String, String> environment) {
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return home.resolve("Library/Caches/heddle");
        }
        Path configured = Path
                .of(environment.getOrDefault(name.startsWith("windows") ? "LOCALAPPDATA" : "XDG_CACHE_HOME", ""));
        return (configured.isAbsolute() ? configured : home.resolve(".cache")).resolve("heddle");
    }

    /** Returns the library in the driver's jar. */
    private static byte[] packed(String name) throws IOException {
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        try (InputStream packed = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (packed == null) {
                throw new IOException("the driver has no library for this platform: " + resource);
            }
            return packed.readAllBytes();
        }
    }

    private static boolean isKept(byte[] library, Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) == library.length
                && Arrays.equals(Files.readAllBytes(file), library);
    }

    /** Unpacks to a draft and renames it: no process ever finds a partial library, even after a crash. */
    private static void unpack(byte[] library, Path directory, String name) throws IOException {
        Path draft = Files.createTempFile(directory, DRAFT + ProcessHandle.current().pid() + "-", ".tmp");
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            for (ByteBuffer rest = ByteBuffer.wrap(library); rest.hasRemaining();) {
                channel.write(rest);
            }
            channel.force(true);
            Files.move(draft, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Deletes the drafts of processes that were killed. */
    private static void deleteDrafts(Path directory) throws IOException {
        try (DirectoryStream<Path> drafts = Files.newDirectoryStream(directory, DRAFT + "*.tmp")) {
            for (Path draft : drafts) {
                String pid = draft.getFileName().toString().substring(DRAFT.length()).replaceFirst("\\D.*", "");
                if (pid.isEmpty() || pid.length() > 18 || ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    Files.deleteIfExists(draft);
                }
            }
        }
    }
}
