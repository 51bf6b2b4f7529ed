package dev.heddle.control;

/** Which queue. In the body and not in the path: a queue may be called anything, and paths do not carry every name. */
public record QueueName(String queue) {}
