package dev.heddle.cli.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Who is told of jobs that have ended. */
public sealed interface Callback {

    /** A command, which gets the news on its standard input. */
    record ByCommand(List<String> line, Path directory) implements Callback {}

    /** Somebody on the network, who gets them signed with the secret. */
    record ByWebhook(URI uri, String secret) implements Callback {}
}
