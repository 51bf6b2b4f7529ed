package dev.heddle.control.http;

/**
 * The body of a request about a client session. The session is not part of the path because a path cannot carry every
 * name.
 *
 * @param session the name that the client chose
 */
public record SessionBody(String session) {}
