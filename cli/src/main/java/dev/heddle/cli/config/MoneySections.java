package dev.heddle.cli.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.cli.config.YamlNode.Entry;
import dev.heddle.conversation.Price;
import dev.heddle.conversation.Prices;
import org.jspecify.annotations.Nullable;

/** The sections {@code budgets} and {@code prices} of {@code heddle.yaml}. */
final class MoneySections {

    private static final List<String> PRICE_KEYS = List.of("input", "cacheWrite", "cacheRead", "output");

    private MoneySections() {}

    /** As in {@code type:review: {usd/24h: 20}}. */
    static List<Budget> budgets(@Nullable YamlNode section) {
        List<Budget> budgets = new ArrayList<>();
        for (Entry scope : section == null ? List.<Entry>of() : section.entries()) {
            Scope whose = scope.value().checked(() -> Scope.of(scope.key()));
            for (Entry measure : scope.value().entries()) {
                budgets.add(measure.value().checked(() -> new Budget(whose, Measure.of(measure.key()),
                        measure.value().as(Kind.AMOUNT))));
            }
        }
        return List.copyOf(budgets);
    }

    /** As in {@code gpt-5: {input: 1.25, cacheRead: 0.125, output: 10}}, USD for a million tokens, with a version. */
    static Prices prices(@Nullable YamlNode section) {
        if (section == null) {
            return Prices.standard();
        }
        String version = null;
        Map<String, Price> models = new HashMap<>();
        for (Entry entry : section.entries()) {
            if (entry.key().equals("version")) {
                version = entry.value().as(Kind.TEXT);
            } else {
                models.put(entry.key(), price(entry.value()));
            }
        }
        if (version == null) {
            throw section.wrong(
                    "has no version; add one, such as version: house-2026-11, which stays with each estimate");
        }
        return Prices.standard().with(version, models);
    }

    private static Price price(YamlNode model) {
        Map<String, BigDecimal> usd = new HashMap<>();
        model.entries(PRICE_KEYS).forEach(entry -> usd.put(entry.key(), entry.value().as(Kind.AMOUNT)));
        BigDecimal input = usd.get("input");
        BigDecimal output = usd.get("output");
        if (input == null || output == null) {
            throw model.wrong("must have input and output, in USD for a million tokens");
        }
        return new Price(input, usd.getOrDefault("cacheWrite", input), usd.getOrDefault("cacheRead", input),
                output);
    }
}
