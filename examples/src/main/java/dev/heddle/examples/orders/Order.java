package dev.heddle.examples.orders;

/** What a customer buys, and what the job gets to know of it. */
record Order(int id, int cents) {}
