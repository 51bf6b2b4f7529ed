package dev.heddle.cli.config;

/**
 * A key of {@code heddle.yaml}.
 *
 * @param path full path of the key, joined by dots
 * @param defaultText default as written in the file; empty if there is none
 */
record ConfigKey<T>(String path, ValueType<T> type, String defaultText) {}
