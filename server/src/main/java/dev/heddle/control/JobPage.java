package dev.heddle.control;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Some jobs, newest first.
 *
 * @param next the cursor of the page that follows; null where there is none
 */
public record JobPage(List<JobView> jobs, @Nullable String next) {}
