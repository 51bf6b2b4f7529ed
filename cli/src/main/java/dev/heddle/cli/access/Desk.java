package dev.heddle.cli.access;

import java.io.InputStream;
import java.time.InstantSource;
import java.util.Map;

import dev.heddle.cli.shell.Screen;

/**
 * What a command works with.
 *
 * @param in where {@code -} reads from
 */
public record Desk(Screen screen, Place place, InputStream in, InstantSource clock) {

    public Desk(Screen screen, Map<String, String> environment, InputStream in) {
        this(screen, new Place(environment), in, InstantSource.system());
    }
}
