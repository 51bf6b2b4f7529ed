package dev.heddle.cli.serve;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.control.ControlJson;
import tools.jackson.databind.JsonNode;

/** Reads the events that callback commands wrote to files named {@code event.*}. */
final class CallbackEvents {

    private CallbackEvents() {}

    static List<JsonNode> in(Path directory) throws IOException {
        List<JsonNode> events = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "event.*")) {
            for (Path file : files) {
                events.add(ControlJson.tree(Files.readString(file)));
            }
        }
        return events;
    }
}
