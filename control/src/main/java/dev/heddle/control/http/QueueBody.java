package dev.heddle.control.http;

/**
 * The body of a request about a queue. The name is not part of the path because a path cannot carry every name.
 *
 * @param queue the name of the queue
 */
public record QueueBody(String queue) {}
