package dev.heddle.sql;

import java.util.Collection;

import dev.heddle.job.JobId;

/** The ids of several jobs as one parameter; see {@link Dialect#anyOf}. */
public record IdList(Collection<JobId> values) {}
