package dev.heddle.control;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Some units of a batch, in their order.
 *
 * @param next the cursor of the next page; null where this is the last
 */
public record UnitPage(List<UnitView> units, @Nullable String next) {}
