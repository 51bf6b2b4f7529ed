package dev.heddle.cli.config;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

import dev.heddle.cli.config.YamlNode.Entry;

/** Whom a batch tells of its units: {@code onUnitComplete: {webhook: URL, secret: ${SECRET}}}, or a command. */
final class CallbackKeys {

    static final List<String> EVENTS = List.of("onUnitComplete", "onUnitFailed");
    private static final List<String> KEYS = List.of("command", "webhook", "secret");

    private CallbackKeys() {}

    static Callback of(YamlNode node) {
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
            return new Callback.ByCommand(line);
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
