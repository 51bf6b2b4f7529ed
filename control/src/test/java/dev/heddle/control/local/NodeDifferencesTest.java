package dev.heddle.control.local;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.heddle.control.model.NodeDifference;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NodeDifferencesTest {

    private final SortedMap<String, SortedMap<String, String>> nodes = new TreeMap<>();

    private void node(String id, Map<String, String> settings) {
        nodes.put(id, new TreeMap<>(settings));
    }

    @Test
    void namesTheNodesOfEachValue() {
        node("a", Map.of("heddle", "1.0", "type mail", "has a handler", "type mail: maxRetries", "3"));
        node("b", Map.of("heddle", "1.0", "type mail", "has a handler", "type mail: maxRetries", "5"));
        node("c", Map.of("heddle", "1.0", "type mail", "has a handler", "type mail: maxRetries", "3"));
        assertThat(NodeDifferences.of(nodes)).containsExactly(new NodeDifference("type mail: maxRetries",
                new TreeMap<>(Map.of("a", "3", "b", "5", "c", "3")), "type mail: maxRetries 3 on a and c, 5 on b"));
    }

    @Test
    void saysOnceThatANodeLacksAType() {
        node("a", Map.of("type mail", "has a handler", "type mail: maxRetries", "3", "type mail: timeout", "1 s"));
        node("b", Map.of());
        assertThat(NodeDifferences.of(nodes)).extracting(NodeDifference::text)
                .containsExactly("type mail has a handler on a, not on b");
        node("c", Map.of("type mail", "has a handler", "type mail: timeout", "1 s"));
        assertThat(NodeDifferences.of(nodes)).extracting(NodeDifference::text).containsExactly(
                "type mail has a handler on a and c, not on b", "type mail: maxRetries 3 on a, not on b and c");
    }

    @Test
    void ignoresTheTypesOfNodesThemselves() {
        node("a", Map.of("type batch:docs", "has a handler"));
        node("b", Map.of());
        assertThat(NodeDifferences.of(nodes)).isEmpty();
    }
}
