package dev.heddle.cli.config;

/**
 * One key of {@code heddle.yaml}.
 *
 * @param path with the keys above it, joined by dots
 * @param standard the default as one would write it; empty where there is none
 * @param meaning one line for the documentation
 */
record Key<T>(String path, Kind<T> kind, String standard, String meaning) {}
