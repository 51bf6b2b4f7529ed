package dev.heddle.control.model;

import java.util.Map;

/**
 * A setting in which nodes differ.
 *
 * @param setting the name of the setting, such as {@code type mail: maxRetries}
 * @param values its value on each node, by the id of the node; a node without it is left out
 * @param text the difference in words, such as {@code type mail: maxRetries 3 on a, 5 on b}
 */
public record NodeDifference(String setting, Map<String, String> values, String text) {}
