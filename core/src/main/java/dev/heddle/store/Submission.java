package dev.heddle.store;

import java.util.List;

/** Jobs that are stored together or not at all. */
public record Submission(List<NewJob> jobs) {}
