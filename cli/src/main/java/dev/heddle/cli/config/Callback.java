package dev.heddle.cli.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** What to call when a job ends. */
public sealed interface Callback {

    /** A command that gets the event on standard input. */
    record ByCommand(List<String> line, Path directory) implements Callback {}

    /**
     * A URL that gets the event as a POST request.
     *
     * @param secrets sign the request; more than one while the receiver changes from one to the next
     * @param allowPrivate whether the URL may lead to an address that is not public
     */
    record ByWebhook(URI uri, List<WebhookSecret> secrets, boolean allowPrivate) implements Callback {}
}
