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
 * The prices of models, used to estimate the cost of agents that do not report it. Every estimate carries the version
 * of its table, so an old estimate stays correct for its version after prices change.
 *
 * @param version the version of the table, such as {@code 2026-11}
 * @param models prices by the beginning of the model's name; the longest match applies
 */
public record Prices(String version, Map<String, Price> models) {

    /** A table without prices: no cost is estimated. */
    public static final Prices NONE = new Prices("none", Map.of());

    /** Checks that the table has a version. */
    public Prices {
        models = Map.copyOf(models);
        if (version.isBlank()) {
            throw new IllegalArgumentException("the price table has no version; give it one, such as 2026-11");
        }
    }

    /**
     * Returns the table that ships with Heddle. Vendors change prices, so prefer your own table in the configuration.
     */
    public static Prices standard() {
        try (InputStream in = Prices.class.getResourceAsStream("prices.json")) {
            return JsonMapper.shared().readValue(Objects.requireNonNull(in, "prices.json"), Prices.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns this table with more models; they replace models of the same name. */
    public Prices with(String newVersion, Map<String, Price> more) {
        Map<String, Price> both = new TreeMap<>(models);
        both.putAll(more);
        return new Prices(newVersion, both);
    }

    Optional<Price> find(String model) {
        return models.entrySet().stream().filter(entry -> model.startsWith(entry.getKey()))
                .max(Comparator.comparingInt(entry -> entry.getKey().length())).map(Map.Entry::getValue);
    }

    /** Returns null if any model is missing from the table: a partial sum would look like the whole cost. */
    @Nullable Cost estimate(Map<String, Tokens> byModel) {
        BigDecimal sum = BigDecimal.ZERO;
        for (Map.Entry<String, Tokens> used : byModel.entrySet()) {
            Optional<Price> price = find(used.getKey());
            if (price.isEmpty()) {
                return null;
            }
            sum = sum.add(price.get().costOf(used.getValue()));
        }
        return byModel.isEmpty() ? null : new Cost(sum, Cost.Basis.ESTIMATED, version);
    }
}
