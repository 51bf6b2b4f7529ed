package dev.heddle.conversation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What models cost, for agents that do not say. A table has a version, which stays with every estimate: when prices
 * change, old estimates are not wrong, they are of that version.
 *
 * @param models by the beginning of the model's name; the longest one that fits counts
 */
public record Prices(String version, Map<String, Price> models) {

    public static final Prices NONE = new Prices("none", Map.of());

    public Prices {
        models = Map.copyOf(models);
        if (version.isBlank()) {
            throw new IllegalArgumentException("a price table must have a version, such as 2026-11");
        }
    }

    /** The table that comes with Heddle. Prices change: an own table in the configuration is better. */
    public static Prices standard() {
        try (InputStream in = Prices.class.getResourceAsStream("prices.json")) {
            return JsonMapper.shared().readValue(Objects.requireNonNull(in, "prices.json"), Prices.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** This table with these models besides, or instead. */
    public Prices with(String newVersion, Map<String, Price> more) {
        Map<String, Price> both = new TreeMap<>(models);
        both.putAll(more);
        return new Prices(newVersion, both);
    }

    Optional<Price> of(String model) {
        return models.entrySet().stream().filter(entry -> model.startsWith(entry.getKey()))
                .max(Comparator.comparingInt(entry -> entry.getKey().length())).map(Map.Entry::getValue);
    }

    /** Null where any of the models is not in the table: a part of a sum would pass for all of it. */
    @Nullable
    Cost estimate(Map<String, Tokens> byModel) {
        BigDecimal sum = BigDecimal.ZERO;
        for (Map.Entry<String, Tokens> used : byModel.entrySet()) {
            Optional<Price> price = of(used.getKey());
            if (price.isEmpty()) {
                return null;
            }
            sum = sum.add(price.get().of(used.getValue()));
        }
        return byModel.isEmpty() ? null : new Cost(sum, Cost.Basis.ESTIMATED, version);
    }
}
