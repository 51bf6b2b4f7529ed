package dev.heddle.examples.orders;

/** An order, which is also the payload of its job. */
record Order(int id, int cents) {}
