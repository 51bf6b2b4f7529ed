package dev.heddle.control.model;

/**
 * The answer to a drain request: the node has started to drain.
 *
 * @param node the id of the node
 * @param running the number of jobs it has to finish
 */
public record DrainResult(String node, int running) {}
