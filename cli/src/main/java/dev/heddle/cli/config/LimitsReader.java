package dev.heddle.cli.config;

import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.cli.shell.Durations;
import dev.heddle.job.Limits;
import dev.heddle.limit.Limit;
import dev.heddle.limit.Limit.WhenFull;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code limits} of {@code heddle.yaml}. */
final class LimitsReader {

    private static final List<String> KEYS = List.of("type", "queue", "tag", "key", "max", "rate", "burst",
            "whenFull");

    private LimitsReader() {}

    /** Reads limits, such as {@code per-customer: {key: $.customer, max: 3}}. */
    static List<Limit> limits(@Nullable YamlNode section) {
        List<Limit> limits = new ArrayList<>();
        for (Entry entry : section == null ? List.<Entry>of() : section.entries()) {
            limits.add(entry.value().checked(() -> limit(entry.key(), entry.value().entries(KEYS))));
        }
        return List.copyOf(limits);
    }

    private static Limit limit(String name, List<Entry> options) {
        Limit limit = Limit.named(name);
        // The burst belongs to the rate, whichever comes first in the file.
        for (boolean burst : new boolean[]{false, true}) {
            for (Entry option : options) {
                if (option.key().equals("burst") == burst) {
                    limit = with(limit, option);
                }
            }
        }
        return limit.complete();
    }

    private static Limit with(Limit limit, Entry option) {
        YamlNode value = option.value();
        return switch (option.key()) {
            case "type", "queue", "tag" -> scoped(limit, option.key(), value.as(ValueType.TEXT));
            case "key" -> limit.key(value.as(ValueType.TEXT));
            case "max" -> limit.maxConcurrent(value.as(ValueType.count(1)));
            case "rate" -> rate(limit, value.as(ValueType.TEXT));
            case "burst" -> limit.burst(value.as(ValueType.count(1)));
            default -> limit.whenFull(WhenFull.parse(value.as(ValueType.TEXT)));
        };
    }

    private static Limit scoped(Limit limit, String kind, String name) {
        if (limit.scope() != null) {
            throw new IllegalArgumentException("a limit covers a type, a queue or a tag, only one of them");
        }
        return switch (kind) {
            case "type" -> limit.ofType(name);
            case "queue" -> limit.ofQueue(name);
            default -> limit.ofTag(name);
        };
    }

    private static Limit rate(Limit limit, String text) {
        int slash = text.indexOf('/');
        if (slash < 1 || !text.substring(0, slash).matches("\\d{1,9}")) {
            throw new IllegalArgumentException(
                    "a rate is a number and a time, such as 100/1m: '" + Limits.quoted(text) + "'");
        }
        return limit.rate(Integer.parseInt(text.substring(0, slash)), Durations.parse(text.substring(slash + 1)));
    }
}
