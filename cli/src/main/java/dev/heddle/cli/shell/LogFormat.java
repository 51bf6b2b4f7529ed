package dev.heddle.cli.shell;

/** How a node writes its log to standard error. */
public enum LogFormat {
    /** A line for people. */
    TEXT,
    /** A JSON document per line, for services that collect logs. */
    JSON
}
