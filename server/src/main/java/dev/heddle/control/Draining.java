package dev.heddle.control;

/**
 * A node that ends.
 *
 * @param running how many jobs it has to finish
 */
public record Draining(String node, int running) {}
