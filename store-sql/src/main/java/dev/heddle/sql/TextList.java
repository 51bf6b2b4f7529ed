package dev.heddle.sql;

import java.util.Collection;

/** The texts that a column must equal one of, as one parameter: see {@link Dialect#anyOf}. */
public record TextList(Collection<String> texts) {}
