package dev.heddle.control;

/** Which session. In the body and not in the path: a client may call its session anything. */
public record SessionKey(String session) {}
