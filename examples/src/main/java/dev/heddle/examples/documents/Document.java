package dev.heddle.examples.documents;

/** A document as it was when the command was given. */
record Document(String id, String title, String text) {}
