package dev.heddle.control.http;

/**
 * The body of a request about a token. The name is not part of the path because a path cannot carry every name.
 *
 * @param name the name of the token
 */
public record TokenNameBody(String name) {}
