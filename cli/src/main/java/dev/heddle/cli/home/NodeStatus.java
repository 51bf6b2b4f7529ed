package dev.heddle.cli.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;

/** Whether a node runs on a home, judged by {@code node.json} and the process it names. */
public sealed interface NodeStatus {

    /** There is no {@code node.json}. */
    record NotRunning() implements NodeStatus {}

    /** The process of the node exists. */
    record Running(NodeInfo node) implements NodeStatus {}

    /**
     * A node ended without removing {@code node.json}.
     *
     * @param why how it is known that the node is gone
     */
    record Stale(String why) implements NodeStatus {}

    /**
     * Returns whether a process has the home locked as its node does, although it does not answer: it has not published
     * its address yet, or not any more.
     */
    static boolean isStartingOrClosing(Home home) {
        return of(home) instanceof NotRunning && HomeLock.isOwned(home);
    }

    /** Reads the status of the node on a home. */
    static NodeStatus of(Home home) {
        String text;
        try {
            text = Files.readString(home.nodeFile());
        } catch (NoSuchFileException e) {
            return new NotRunning();
        } catch (IOException e) {
            return new Stale("cannot be read: " + e.getMessage());
        }
        return NodeInfo.read(text)
                .map(node -> node.absence().<NodeStatus>map(Stale::new).orElseGet(() -> new Running(node)))
                .orElseGet(() -> new Stale("content is not valid"));
    }
}
