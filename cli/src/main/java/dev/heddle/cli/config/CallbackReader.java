package dev.heddle.cli.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.control.local.CallbackTypes;

/** Reads callbacks, such as {@code onUnitComplete: {webhook: URL, secret: ${SECRET}}}. */
final class CallbackReader {

    static final String COMPLETE = CallbackTypes.COMPLETE;
    static final String FAILED = CallbackTypes.FAILED;
    private static final List<String> KEYS = List.of("command", "webhook", "secret", "allowPrivate");

    private CallbackReader() {}

    /** Reads the callbacks among the keys of a type or batch, by event. */
    static Map<String, Callback> among(List<Entry> keys, Path directory) {
        return keys.stream().filter(key -> List.of(COMPLETE, FAILED).contains(key.key()))
                .collect(Collectors.toMap(Entry::key, key -> of(key.value(), directory)));
    }

    private static Callback of(YamlNode node, Path directory) {
        var keys = node.entries(KEYS).stream().collect(Collectors.toMap(Entry::key, Entry::value));
        YamlNode command = keys.get("command");
        YamlNode webhook = keys.get("webhook");
        YamlNode secret = keys.get("secret");
        YamlNode allowPrivate = keys.get("allowPrivate");
        if ((command == null) == (webhook == null)) {
            throw node.wrong("must have either a command or a webhook");
        }
        if (command != null) {
            List<String> words = command.list(ValueType.WORD, "[notify, done]");
            if (words.isEmpty()) {
                throw node.wrong("has no program to run");
            }
            if (secret != null || allowPrivate != null) {
                throw node.wrong("has " + (secret == null ? "allowPrivate" : "a secret") + ", which only webhooks use");
            }
            return new Callback.ByCommand(words, directory);
        }
        URI uri;
        try {
            uri = URI.create(webhook.as(ValueType.TEXT));
        } catch (IllegalArgumentException e) {
            throw webhook.wrong("is not a URL such as https://example.org/hook");
        }
        if (!List.of("http", "https").contains(String.valueOf(uri.getScheme())) || uri.getHost() == null) {
            throw webhook.wrong("is not a URL such as https://example.org/hook");
        }
        if (secret == null) {
            throw node.wrong("has no secret to sign requests; add one, such as secret: ${NAME} from the environment");
        }
        return new Callback.ByWebhook(uri, secrets(secret),
                allowPrivate != null && allowPrivate.as(ValueType.FLAG));
    }

    /** Reads one secret, or several while a receiver changes from one to the next. */
    private static List<WebhookSecret> secrets(YamlNode node) {
        List<String> texts = node.isList() ? node.list(ValueType.TEXT, "[${NEW_SECRET}, ${OLD_SECRET}]")
                : List.of(node.as(ValueType.TEXT));
        if (texts.isEmpty()) {
            throw node.wrong("has no secret to sign requests");
        }
        return node.checked(() -> texts.stream().map(WebhookSecret::of).toList());
    }
}
