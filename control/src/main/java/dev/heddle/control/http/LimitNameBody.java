package dev.heddle.control.http;

/**
 * The body of a request about a limit. The name is not part of the path because a path cannot carry every name.
 *
 * @param name the name of the limit
 */
public record LimitNameBody(String name) {}
