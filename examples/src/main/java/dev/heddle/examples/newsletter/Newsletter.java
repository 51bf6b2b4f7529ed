package dev.heddle.examples.newsletter;

import java.util.List;

/** A text, and whom it goes to. */
record Newsletter(String text, List<String> recipients) {}
