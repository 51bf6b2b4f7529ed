package dev.heddle.examples.documents;

/** A snapshot of a document, taken when the user gave the command. */
record Document(String id, String title, String text) {}
