package dev.heddle.cli.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;

/** What there is to see of a node in a home. */
public sealed interface Sighting {

    record Nobody() implements Sighting {}

    record Running(NodeInfo node) implements Sighting {}

    /**
     * A node was here and did not clear up.
     *
     * @param why what shows that it is gone
     */
    record Stale(String why) implements Sighting {}

    static Sighting in(Home home) {
        String text;
        try {
            text = Files.readString(home.nodeFile());
        } catch (NoSuchFileException e) {
            return new Nobody();
        } catch (IOException e) {
            return new Stale("it cannot be read: " + e.getMessage());
        }
        return NodeInfo.read(text)
                .map(node -> node.absence().<Sighting>map(Stale::new).orElseGet(() -> new Running(node)))
                .orElseGet(() -> new Stale("it is not what a node writes"));
    }
}
