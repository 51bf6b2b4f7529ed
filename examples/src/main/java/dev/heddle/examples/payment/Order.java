package dev.heddle.examples.payment;

/** The payload: an order and the card that pays for it. */
record Order(String id, String card, long cents) {}
