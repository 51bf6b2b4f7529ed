package dev.heddle.control;

/** How many jobs something was done to. */
public record Count(long count) {}
