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

/** Reads the sections {@code budgets} and {@code prices} of {@code heddle.yaml}. */
final class MoneyReader {

    private static final List<String> PRICE_KEYS = List.of("input", "cacheWrite", "cacheRead", "output");

    private MoneyReader() {}

    /** Reads budgets, such as {@code type:review: {usd/24h: 20}}. */
    static List<Budget> budgets(@Nullable YamlNode section) {
        List<Budget> budgets = new ArrayList<>();
        for (Entry scope : section == null ? List.<Entry>of() : section.entries()) {
            Scope target = scope.value().checked(() -> Scope.of(scope.key()));
            for (Entry measure : scope.value().entries()) {
                budgets.add(measure.value().checked(
                        () -> new Budget(target, Measure.of(measure.key()), measure.value().as(ValueType.AMOUNT))));
            }
        }
        return List.copyOf(budgets);
    }

    /** Reads prices in USD per million tokens, such as {@code gpt-5: {input: 1.25, cacheRead: 0.125, output: 10}}. */
    static Prices prices(@Nullable YamlNode section) {
        if (section == null) {
            return Prices.standard();
        }
        String version = null;
        Map<String, Price> models = new HashMap<>();
        for (Entry entry : section.entries()) {
            if (entry.key().equals("version")) {
                version = entry.value().as(ValueType.TEXT);
            } else {
                models.put(entry.key(), price(entry.value()));
            }
        }
        if (version == null) {
            throw section
                    .wrong("has no version; add one, such as version: house-2026-11, to record with each estimate");
        }
        return Prices.standard().with(version, models);
    }

    private static Price price(YamlNode model) {
        Map<String, BigDecimal> usd = new HashMap<>();
        model.entries(PRICE_KEYS).forEach(entry -> usd.put(entry.key(), entry.value().as(ValueType.AMOUNT)));
        BigDecimal input = usd.get("input");
        BigDecimal output = usd.get("output");
        if (input == null || output == null) {
            throw model.wrong("must have input and output, in USD per million tokens");
        }
        return new Price(input, usd.getOrDefault("cacheWrite", input), usd.getOrDefault("cacheRead", input), output);
    }
}
