package dev.heddle.examples.filing;

/** The payload: the document to file. */
record Filing(String documentId) {}
