package dev.heddle.cli.config;

import java.util.List;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.control.Redaction;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code redaction} of {@code heddle.yaml}. */
final class RedactionReader {

    private static final List<String> KEYS = List.of("standard", "keys", "paths", "patterns");

    private RedactionReader() {}

    /** Reads rules, such as {@code keys: [iban]}, which add to the standard ones unless those are turned off. */
    static Redaction redaction(@Nullable YamlNode section) {
        Redaction rules = Redaction.NONE;
        boolean standard = true;
        for (Entry entry : section == null ? List.<Entry>of() : section.entries(KEYS)) {
            YamlNode value = entry.value();
            switch (entry.key()) {
                case "standard" -> standard = value.as(ValueType.FLAG);
                case "keys" -> rules = with(rules, value, texts -> new Redaction(texts, List.of(), List.of()),
                        "[iban, pin]");
                case "paths" -> rules = with(rules, value, texts -> new Redaction(List.of(), texts, List.of()),
                        "[$.card.number]");
                default -> rules = with(rules, value, texts -> new Redaction(List.of(), List.of(), texts),
                        "['\\b\\d{16}\\b']");
            }
        }
        return standard ? Redaction.STANDARD.and(rules) : rules;
    }

    private interface Rules {
        Redaction of(List<String> texts);
    }

    private static Redaction with(Redaction rules, YamlNode value, Rules more, String example) {
        List<String> texts = value.list(ValueType.TEXT, example);
        return rules.and(value.checked(() -> more.of(texts)));
    }
}
