package dev.heddle.control.model;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of jobs.
 *
 * @param jobs newest first
 * @param next the cursor of the next page; null if this is the last page
 */
public record JobPage(List<JobView> jobs, @Nullable String next) {}
