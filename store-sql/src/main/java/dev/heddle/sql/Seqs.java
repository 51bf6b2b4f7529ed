package dev.heddle.sql;

import java.util.Collection;

/** Many jobs as one parameter. */
public record Seqs(Collection<Long> values) {}
