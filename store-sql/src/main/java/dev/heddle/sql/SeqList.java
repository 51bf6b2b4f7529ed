package dev.heddle.sql;

import java.util.Collection;

/** The numbers of several jobs as one parameter; see {@link Dialect#anyOf}. */
public record SeqList(Collection<Long> values) {}
