package dev.heddle.control.model;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of the units of a batch.
 *
 * @param units in the order of the batch
 * @param next the cursor of the next page; null if this is the last page
 */
public record UnitPage(List<UnitView> units, @Nullable String next) {}
