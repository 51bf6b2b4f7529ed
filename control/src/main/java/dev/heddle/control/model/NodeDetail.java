package dev.heddle.control.model;

import java.util.List;
import java.util.Map;

import dev.heddle.waiting.NodeStatus;

/**
 * A node with its configuration.
 *
 * @param node the node
 * @param settings how it is configured, without secrets, by the name of the setting
 * @param load what its process has used in the last minutes, oldest first; empty for another node than the one that
 *     answers
 */
public record NodeDetail(NodeView node, Map<String, String> settings, List<NodeStatus.Load> load) {}
