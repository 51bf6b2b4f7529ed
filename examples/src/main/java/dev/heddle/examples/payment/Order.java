package dev.heddle.examples.payment;

/** What is to be paid for, and by whom. */
record Order(String id, String card, long cents) {}
