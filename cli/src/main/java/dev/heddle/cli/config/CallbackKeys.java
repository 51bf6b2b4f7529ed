package dev.heddle.cli.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.heddle.cli.config.YamlNode.Entry;

/** Who is told of the ends of jobs: {@code onUnitComplete: {webhook: URL, secret: ${SECRET}}}, or a command. */
final class CallbackKeys {

    static final String COMPLETE = "onUnitComplete";
    static final String FAILED = "onUnitFailed";
    private static final List<String> KEYS = List.of("command", "webhook", "secret");

    private CallbackKeys() {}

    /** By event. */
    static Map<String, Callback> among(List<Entry> keys, Path directory) {
        return keys.stream().filter(key -> List.of(COMPLETE, FAILED).contains(key.key()))
                .collect(Collectors.toMap(Entry::key, key -> of(key.value(), directory)));
    }

    private static Callback of(YamlNode node, Path directory) {
        var keys = node.entries(KEYS).stream().collect(Collectors.toMap(Entry::key, Entry::value));
        YamlNode command = keys.get("command");
        YamlNode webhook = keys.get("webhook");
        YamlNode secret = keys.get("secret");
        if ((command == null) == (webhook == null)) {
            throw node.wrong("must have a command or a webhook, one of them");
        }
        if (command != null) {
            List<String> line = command.list(Kind.WORD, "[notify, done]");
            if (line.isEmpty() || secret != null) {
                throw node.wrong(
                        line.isEmpty() ? "has no program to run" : "has a secret, which is for webhooks");
            }
            return new Callback.ByCommand(line, directory);
        }
        URI uri;
        try {
            uri = URI.create(webhook.as(Kind.TEXT));
        } catch (IllegalArgumentException e) {
            throw webhook.wrong("is no URL");
        }
        if (!List.of("http", "https").contains(String.valueOf(uri.getScheme())) || uri.getHost() == null) {
            throw webhook.wrong("is no URL; it looks like https://example.org/hook");
        }
        if (secret == null) {
            throw node.wrong(
                    "has no secret to sign with; add one, best as secret: ${NAME} from the environment");
        }
        return new Callback.ByWebhook(uri, secret.as(Kind.TEXT));
    }
}
