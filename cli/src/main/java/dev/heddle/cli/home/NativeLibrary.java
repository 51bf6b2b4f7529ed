package dev.heddle.cli.home;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Keeps SQLite's native library in the home. Left to itself the driver unpacks a megabyte into the system's temporary
 * directory each time, and after a kill -9 it stays there for ever.
 */
public final class NativeLibrary {

    private NativeLibrary() {}

    /** To be called before the driver is; where it fails, the driver does as it does. */
    public static void keepIn(Home home) {
        String name = LibraryLoaderUtil.getNativeLibName();
        Path directory = home.nativeLibraries().resolve(SQLiteJDBCLoader.getVersion());
        Path library = directory.resolve(name);
        try {
            if (!Files.exists(library)) {
                unpack(LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name, library);
            }
            System.setProperty("org.sqlite.lib.path", directory.toString());
        } catch (IOException e) {
            System.setProperty("org.sqlite.tmpdir", home.directory().toString());
        }
    }

    private static void unpack(String resource, Path library) throws IOException {
        try (InputStream packed = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (packed == null) {
                throw new IOException("the driver has no library for this platform: " + resource);
            }
            Files.createDirectories(library.getParent());
            Private.write(library, packed.readAllBytes());
        }
    }
}
