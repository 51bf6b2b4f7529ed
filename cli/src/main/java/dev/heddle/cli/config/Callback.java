package dev.heddle.cli.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** What to call when a job ends. */
public sealed interface Callback {

    /** A command that gets the event on standard input. */
    record ByCommand(List<String> line, Path directory) implements Callback {}

    /** A URL that gets the event as a POST request, signed with the secret. */
    record ByWebhook(URI uri, String secret) implements Callback {}
}
