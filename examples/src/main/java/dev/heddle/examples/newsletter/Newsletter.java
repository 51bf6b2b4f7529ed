package dev.heddle.examples.newsletter;

import java.util.List;

/** The payload: a text and its recipients. */
record Newsletter(String text, List<String> recipients) {}
