package dev.heddle.examples.filing;

/** A document to be filed. */
record Filing(String documentId) {}
